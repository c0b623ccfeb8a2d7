const factor = 4;
const pairs = 8;
/** Shorter times are noise. */
const shortestMicroseconds = 1_000;

/** Returns processor time of this thread, in microseconds. Other threads and a busy machine do not count. */
function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/** Growth that linear work with noise does not reach. */
export const linearGrowthMax = 9;

/**
 * Returns the growth of the processor time of `work` when its input grows fourfold: about 4 for linear work, 16 for
 * quadratic work. The lowest ratio of paired measurements counts, because other load only adds time.
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
  const ratio = () => {
    const short = Math.max(
      shortestMicroseconds,
      processorTime(() => work(small)),
    );
    return processorTime(() => work(large)) / short;
  };
  ratio();
  return Math.min(...Array.from({ length: pairs }, ratio));
}
