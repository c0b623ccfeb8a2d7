/** Numbers of one round. */
export type Numbers = Readonly<Record<string, number>>;

/** A subject that is measured in turns with others. */
export type Contender = { readonly name: string; readonly measure: () => Promise<Numbers> };

/** Median of each number over the rounds, by contender. */
type Medians = ReadonlyMap<string, Numbers>;

/** Medians of the turns, and number of counted rounds. */
export type InTurns = { readonly medians: Medians; readonly rounds: number };

/**
 * Measures contenders in turns, so that other load on the machine affects them equally. The order is A B, B A, A B …,
 * after one round that does not count.
 */
export async function inTurns(contenders: readonly Contender[], rounds: number): Promise<InTurns> {
  const all = new Map<string, Numbers[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const { name, measure } of order) {
      const numbers = await measure();
      if (round > 0) all.get(name)?.push(numbers);
    }
  }
  return { medians: new Map([...all].map(([name, list]) => [name, mediansOf(list)])), rounds };
}

/** A contender and its floor. */
export type Pairs = {
  readonly floor: Numbers;
  readonly contender: Numbers;
  /** Contender over floor: the median of the ratios of all pairs. */
  readonly ratios: Numbers;
  readonly count: number;
};

const warmPairs = 1;

/**
 * Measures a contender repeatedly between two turns of the floor, and compares it only with these two. The speed of a
 * machine may double within a minute, so a comparison of distant turns is unreliable.
 */
export async function inPairs(floor: Contender, contender: Contender, count: number): Promise<Pairs> {
  const floors: Numbers[] = [];
  const own: Numbers[] = [];
  const ratios: Numbers[] = [];
  let before = await floor.measure();
  for (let pair = -warmPairs; pair < count; pair += 1) {
    const numbers = await contender.measure();
    const after = await floor.measure();
    if (pair >= 0) {
      floors.push(after);
      own.push(numbers);
      ratios.push(ratioOf(numbers, before, after));
    }
    before = after;
  }
  return { floor: mediansOf(floors), contender: mediansOf(own), ratios: mediansOf(ratios), count };
}

/** Returns the medians over the pairs of several processes, because compiled code differs between processes. */
export const overProcesses = (all: readonly Pairs[]): Pairs => ({
  floor: mediansOf(all.map(({ floor }) => floor)),
  contender: mediansOf(all.map(({ contender }) => contender)),
  ratios: mediansOf(all.map(({ ratios }) => ratios)),
  count: all.reduce((sum, { count }) => sum + count, 0),
});

const ratioOf = (numbers: Numbers, before: Numbers, after: Numbers): Numbers =>
  Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [
      name,
      (2 * value) / ((before[name] ?? Number.NaN) + (after[name] ?? Number.NaN)),
    ]),
  );

function mediansOf(list: readonly Numbers[]): Numbers {
  const names = Object.keys(list[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(list.map((numbers) => numbers[name] ?? Number.NaN))]),
  );
}

/** Returns the median; for an even count, the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper;
}
