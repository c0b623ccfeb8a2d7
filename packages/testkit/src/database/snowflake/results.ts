export type TestColumn = {
  readonly name: string;
  readonly type: string;
  readonly precision?: number;
  readonly scale?: number;
  readonly length?: number;
};

/** Rows of a statement. Values are strings, as in the service's JSON. */
export type TestResult = {
  readonly columns: readonly TestColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Number of rows of each part. Default: one part with all rows. */
  readonly partRows?: readonly number[];
};

export type TestFailure = {
  readonly code: string;
  readonly sqlState: string;
  readonly message: string;
};

/** Outcome of a statement. `endless` runs until it is cancelled. */
export type TestAnswer = TestResult | TestFailure | 'endless';

export const isResult = (answer: TestAnswer): answer is TestResult =>
  answer !== 'endless' && 'columns' in answer;

/** Returns a result whose columns are all strings. */
export const texts = (
  names: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): TestResult => ({ columns: names.map((name) => ({ name, type: 'text' })), rows });
