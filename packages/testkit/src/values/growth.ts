const factor = 4;
const pairs = 5;
/** The system counts processor time in steps of some milliseconds, so shorter work is repeated. */
const shortestMicroseconds = 20_000;
const roundsMax = 256;

/** Returns processor time of this thread, in microseconds. Other threads and a busy machine do not count. */
function processorTime(rounds: number, work: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let round = 0; round < rounds; round += 1) work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Growth that linear work with noise does not reach. */
export const linearGrowthMax = 9;

/**
 * Returns the growth of the processor time of `work` when its input grows fourfold: about 4 for linear work, 16 for
 * quadratic work. The median time of each size counts: single measurements are too long or too short.
 *
 * @param prepare  creates the input of a size outside of the measurement.
 * @param size  larger size of the two.
 */
export function fourfoldGrowth<T>(
  prepare: (size: number) => T,
  work: (input: T) => unknown,
  size: number,
): number {
  const [small, large] = [prepare(size / factor), prepare(size)];
  let rounds = 1;
  while (rounds < roundsMax && processorTime(rounds, () => work(small)) < shortestMicroseconds) rounds *= 2;
  const times = Array.from({ length: pairs }, () => ({
    short: processorTime(rounds, () => work(small)),
    long: processorTime(rounds, () => work(large)),
  }));
  const short = medianOf(times.map((pair) => pair.short));
  return medianOf(times.map((pair) => pair.long)) / Math.max(shortestMicroseconds / 2, short);
}
