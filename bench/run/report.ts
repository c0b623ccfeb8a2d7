import type { Medians, Numbers, Pairs } from './rounds.ts';

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
    const isFloor = name === floorName;
    if (!isFloor) lowest = Math.min(lowest, ratio);
    const verdict = isFloor ? floorVerdict : ratioVerdict(ratio, comparison.target);
    process.stdout.write(lineOf(name.padEnd(width), numbers, columns, verdict));
  }
  return lowest;
}

/** Prints a contender and the floor that it was measured beside; the ratio is that of their pairs. */
export function printPairs(
  title: string,
  names: { readonly floor: string; readonly contender: string },
  pairs: Pairs,
  columns: readonly ReportColumn[],
  comparison: Comparison,
): void {
  const own = pairs.ratios[comparison.number] ?? Number.NaN;
  const ratio = comparison.isMoreBetter ? own : 1 / own;
  const width = Math.max(names.floor.length, names.contender.length);
  process.stdout.write(
    `\n${title}\n${lineOf(names.floor.padEnd(width), pairs.floor, columns, floorVerdict)}${lineOf(
      names.contender.padEnd(width),
      pairs.contender,
      columns,
      ratioVerdict(ratio, comparison.target),
    )}`,
  );
}

const floorVerdict = '(floor)';
const ratioVerdict = (ratio: number, target: number | undefined): string =>
  `ratio ${ratio.toFixed(2)}${verdictOf(ratio, target)}`;

function lineOf(name: string, numbers: Numbers, columns: readonly ReportColumn[], verdict: string): string {
  const cells = columns.map(
    ({ title, number, digits }) => `${(numbers[number] ?? Number.NaN).toFixed(digits).padStart(9)} ${title}`,
  );
  return `  ${name} ${cells.join(' ')}  ${verdict}\n`;
}

const verdictOf = (ratio: number, target: number | undefined): string =>
  target === undefined
    ? ''
    : ratio >= target
      ? `, target ${target} reached`
      : `, BELOW the target of ${target}`;
