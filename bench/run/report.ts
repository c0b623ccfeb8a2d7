import type { Medians } from './rounds.ts';

/** How one number is shown. */
export type ReportColumn = { readonly title: string; readonly number: string; readonly digits: number };

/** The number by which a contender is compared with the floor, and what it should reach. */
export type Comparison = {
  readonly number: string;
  /** True: more is better, the ratio is contender over floor. */
  readonly isMoreBetter: boolean;
  readonly target?: number;
};

/** Prints one case: a line each for the floor and the others, with the ratio to the floor. */
export function printCase(
  title: string,
  medians: Medians,
  floorName: string,
  columns: readonly ReportColumn[],
  comparison: Comparison,
): number {
  const floor = medians.get(floorName)?.[comparison.number] ?? Number.NaN;
  process.stdout.write(`\n${title}\n`);
  const width = Math.max(...[...medians.keys()].map((name) => name.length));
  let lowest = Number.POSITIVE_INFINITY;
  for (const [name, numbers] of medians) {
    const own = numbers[comparison.number] ?? Number.NaN;
    const ratio = comparison.isMoreBetter ? own / floor : floor / own;
    const cells = columns.map(
      ({ title: unit, number, digits }) =>
        `${(numbers[number] ?? Number.NaN).toFixed(digits).padStart(9)} ${unit}`,
    );
    const isFloor = name === floorName;
    if (!isFloor) lowest = Math.min(lowest, ratio);
    const verdict = isFloor ? '(floor)' : `ratio ${ratio.toFixed(2)}${verdictOf(ratio, comparison.target)}`;
    process.stdout.write(`  ${name.padEnd(width)} ${cells.join(' ')}  ${verdict}\n`);
  }
  return lowest;
}

const verdictOf = (ratio: number, target: number | undefined): string =>
  target === undefined
    ? ''
    : ratio >= target
      ? `, target ${target} reached`
      : `, BELOW the target of ${target}`;
