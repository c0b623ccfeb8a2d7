/** Numbers of one round. */
export type Numbers = Readonly<Record<string, number>>;

/** Something that is measured in turns with others. */
export type Contender = { readonly name: string; readonly measure: () => Promise<Numbers> };

/** The middle of each number over the rounds, by contender. */
type Medians = ReadonlyMap<string, Numbers>;

/** What turns gave, and how many rounds of them counted. */
export type InTurns = { readonly medians: Medians; readonly rounds: number };

/**
 * Measures contenders in turns, so that whatever else the machine does meets them alike: A B, B A, A B …, after
 * one round that does not count.
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

/** A contender and the floor beside it. */
export type Pairs = {
  readonly floor: Numbers;
  readonly contender: Numbers;
  /** Contender over floor: the middle of the pairs' own ratios. */
  readonly ratios: Numbers;
  readonly count: number;
};

const warmPairs = 1;

/**
 * Measures a contender between two turns of the floor, again and again, and compares it with these alone: on a machine
 * that is twice as fast in one minute as in the next, medians of turns that lie further apart say little.
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

/** The middle of what pairs of several processes say: code of one process is compiled better than that of the next. */
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

/** The middle value; of an even number of them, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper;
}
