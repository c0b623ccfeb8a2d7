export type TestColumn = {
  readonly name: string;
  /** SQL type, such as `DECIMAL(10,2)`. */
  readonly type: string;
};

/** Rows of a statement. Values are strings, as in the service's JSON. */
export type TestResult = {
  readonly columns: readonly TestColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Number of rows of each chunk. Default: one chunk with all rows. */
  readonly chunkRows?: readonly number[];
};

export type TestFailure = { readonly message: string; readonly sqlState?: string };

/** Outcome of a statement. `endless` runs until it is cancelled. */
export type TestAnswer = TestResult | TestFailure | 'endless';

export const isResult = (answer: TestAnswer): answer is TestResult =>
  answer !== 'endless' && 'columns' in answer;

/** Returns a result whose columns are all strings. */
export const texts = (
  names: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): TestResult => ({ columns: names.map((name) => ({ name, type: 'STRING' })), rows });
