/** What a figure has to reach: its ratio at least so much, or its value at most so much. */
export type Target = { readonly ratioMin: number } | { readonly valueMax: number };

/** One figure of a benchmark. Lists hold one number for each recorded run of the program. */
export type Figure = {
  /** The case: `by key, 16 connections`. */
  readonly title: string;
  /** What is counted: `requests/s`, `ms longest hold`. */
  readonly unit: string;
  /** What it is compared with; null where it is bounded by itself. */
  readonly against: string | null;
  readonly values: readonly number[];
  readonly floorValues: readonly number[];
  /** Own over floor, or floor over own where less is better: above 1 is ahead of the floor. */
  readonly ratios: readonly number[];
  readonly target: Target | null;
  /** Rounds, or pairs of turns, whose median a figure is; null where they were not noted. */
  readonly pairs: number | null;
};

/** What one benchmark said, as it stands in `bench/results/<name>.json`. */
export type BenchResult = {
  readonly name: string;
  readonly purpose: string;
  /** Commit whose code was measured; `+` behind it when the folder held more than that. */
  readonly commit: string;
  /** Day of the measurement, `yyyy-mm-dd`. */
  readonly date: string;
  readonly machine: string;
  readonly figures: readonly Figure[];
};

/**
 * Reads a result's text.
 *
 * @throws Error when it is not in the form.
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

/** Whether every recorded run reached what it has to reach; true where nothing is asked. */
export function isReached({ values, ratios, target }: Figure): boolean {
  if (target === null) return true;
  return 'ratioMin' in target
    ? ratios.every((ratio) => ratio >= target.ratioMin)
    : values.every((value) => value <= target.valueMax);
}
