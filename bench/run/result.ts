/** Target of a figure: a minimum ratio or a maximum value. */
export type Target = { readonly ratioMin: number } | { readonly valueMax: number };

/** One figure of a benchmark. Each list contains one number per recorded run of the program. */
export type Figure = {
  /** The case: `by key, 16 connections`. */
  readonly title: string;
  /** Unit of the values, such as `requests/s`. */
  readonly unit: string;
  /** Name of the compared floor; null for a figure with an absolute bound. */
  readonly against: string | null;
  readonly values: readonly number[];
  readonly floorValues: readonly number[];
  /** Value over floor, or floor over value where less is better. Above 1, the value is better than the floor. */
  readonly ratios: readonly number[];
  readonly target: Target | null;
  /** Number of rounds or pairs behind a median; null where it was not recorded. */
  readonly pairs: number | null;
};

/** Result of one benchmark, as stored in `bench/results/<name>.json`. */
export type BenchResult = {
  readonly name: string;
  readonly purpose: string;
  /** Measured commit, followed by `+` when the folder had uncommitted changes. */
  readonly commit: string;
  /** Day of the measurement, `yyyy-mm-dd`. */
  readonly date: string;
  readonly machine: string;
  readonly figures: readonly Figure[];
};

/**
 * Parses a result.
 *
 * @throws Error when the text does not have the form of a result.
 */
export function parseResult(file: string, text: string): BenchResult {
  const result = JSON.parse(text) as BenchResult;
  const faults = [
    ...(['name', 'purpose', 'commit', 'machine'] as const).filter((member) => !isText(result[member])),
    ...(/^\d{4}-\d\d-\d\d$/.test(result.date) ? [] : ['date']),
    ...(Array.isArray(result.figures) && result.figures.length > 0 ? [] : ['figures']),
    ...(Array.isArray(result.figures) ? result.figures : [])
      .filter((figure) => !isFigure(figure))
      .map(titleOf),
  ];
  if (faults.length > 0) throw new Error(`${file} is not in the form of a result: ${faults.join(', ')}.`);
  return result;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const titleOf = ({ title }: Figure): string => `the figure "${title}"`;
const areNumbers = (list: unknown): boolean =>
  Array.isArray(list) && list.every((value) => Number.isFinite(value));

function isFigure({ title, unit, against, values, floorValues, ratios, target, pairs }: Figure): boolean {
  const isTarget = target === null || areNumbers(['ratioMin' in target ? target.ratioMin : target.valueMax]);
  return (
    isText(title) &&
    isText(unit) &&
    (against === null || isText(against)) &&
    [values, floorValues, ratios].every(areNumbers) &&
    values.length + ratios.length > 0 &&
    isTarget &&
    (pairs === null || Number.isInteger(pairs))
  );
}

/** Returns true when every recorded run reached the target, or when there is no target. */
export function isReached({ values, ratios, target }: Figure): boolean {
  if (target === null) return true;
  return 'ratioMin' in target
    ? ratios.every((ratio) => ratio >= target.ratioMin)
    : values.every((value) => value <= target.valueMax);
}
