/** Numbers of one round. */
export type Numbers = Readonly<Record<string, number>>;

/** Something that is measured in turns with others. */
export type Contender = { readonly name: string; readonly measure: () => Promise<Numbers> };

/** The middle of each number over the rounds, by contender. */
export type Medians = ReadonlyMap<string, Numbers>;

/**
 * Measures contenders in turns, so that whatever else the machine does meets them alike: A B, B A, A B …, after
 * one round that does not count.
 */
export async function inTurns(contenders: readonly Contender[], rounds: number): Promise<Medians> {
  const all = new Map<string, Numbers[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const { name, measure } of order) {
      const numbers = await measure();
      if (round > 0) all.get(name)?.push(numbers);
    }
  }
  return new Map([...all].map(([name, list]) => [name, mediansOf(list)]));
}

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
