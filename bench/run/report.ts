import type { Figure } from './result.ts';
import type { InTurns, Numbers, Pairs } from './rounds.ts';

/** Format of one number. */
export type ReportColumn = { readonly title: string; readonly number: string; readonly digits: number };

/** The number that is compared with the floor, and its target. */
export type Comparison = {
  readonly number: string;
  /** True when more is better: the ratio is contender over floor. Otherwise the ratio is floor over contender. */
  readonly isMoreBetter: boolean;
  readonly target?: number;
};

/** A number with an absolute bound, such as memory. */
export type Bound = { readonly number: string; readonly unit: string; readonly valueMax: number };

/** Prints the floor and the contenders of one case, with ratios to the floor. Returns the figures. */
export function printCase(
  title: string,
  { medians, rounds }: InTurns,
  floorName: string,
  columns: readonly ReportColumn[],
  comparison: Comparison,
  bounds: readonly Bound[] = [],
): Figure[] {
  const floorNumbers = medians.get(floorName) ?? {};
  const floor = floorNumbers[comparison.number] ?? Number.NaN;
  process.stdout.write(`\n${title}\n`);
  const width = Math.max(...[...medians.keys()].map((name) => name.length));
  const figures: Figure[] = [];
  for (const [name, numbers] of medians) {
    const own = numbers[comparison.number] ?? Number.NaN;
    const ratio = comparison.isMoreBetter ? own / floor : floor / own;
    const isFloor = name === floorName;
    const verdict = isFloor ? floorVerdict : ratioVerdict(ratio, comparison.target);
    process.stdout.write(lineOf(name.padEnd(width), numbers, columns, verdict));
    if (isFloor) continue;
    const titleOfOwn = medians.size > 2 ? `${title}, ${name}` : title;
    const compared = { title: titleOfOwn, against: floorName, pairs: rounds };
    figures.push(comparedFigure(compared, { own, floor, ratio }, columns, comparison));
    figures.push(...bounds.map((bound) => boundFigure(titleOfOwn, numbers, floorNumbers, bound, rounds)));
  }
  return figures;
}

/** Prints a contender and its floor. The ratio is the median of the ratios of their pairs. */
export function printPairs(
  title: string,
  names: { readonly floor: string; readonly contender: string },
  pairs: Pairs,
  columns: readonly ReportColumn[],
  comparison: Comparison,
): Figure {
  const ratioOfOwn = pairs.ratios[comparison.number] ?? Number.NaN;
  const ratio = comparison.isMoreBetter ? ratioOfOwn : 1 / ratioOfOwn;
  const width = Math.max(names.floor.length, names.contender.length);
  process.stdout.write(
    `\n${title}\n${lineOf(names.floor.padEnd(width), pairs.floor, columns, floorVerdict)}${lineOf(
      names.contender.padEnd(width),
      pairs.contender,
      columns,
      ratioVerdict(ratio, comparison.target),
    )}`,
  );
  const own = pairs.contender[comparison.number] ?? Number.NaN;
  const floor = pairs.floor[comparison.number] ?? Number.NaN;
  const compared = { title, against: names.floor, pairs: pairs.count };
  return comparedFigure(compared, { own, floor, ratio }, columns, comparison);
}

type Compared = Pick<Figure, 'title' | 'against' | 'pairs'>;

const comparedFigure = (
  compared: Compared,
  { own, floor, ratio }: { readonly own: number; readonly floor: number; readonly ratio: number },
  columns: readonly ReportColumn[],
  { number, target }: Comparison,
): Figure => ({
  ...compared,
  unit: columns.find((column) => column.number === number)?.title ?? number,
  values: [rounded(own)],
  floorValues: [rounded(floor)],
  ratios: [rounded(ratio)],
  target: target === undefined ? null : { ratioMin: target },
});

const boundFigure = (
  title: string,
  numbers: Numbers,
  floorNumbers: Numbers,
  { number, unit, valueMax }: Bound,
  pairs: number,
): Figure => ({
  title,
  unit,
  against: null,
  values: [rounded(numbers[number] ?? Number.NaN)],
  floorValues: [rounded(floorNumbers[number] ?? Number.NaN)],
  ratios: [],
  target: { valueMax },
  pairs,
});

/** Rounds to three digits, which is more than two runs agree on. */
export const rounded = (value: number): number => Number(value.toPrecision(3));

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
