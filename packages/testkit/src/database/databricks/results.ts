/** A column of a result, as tests write it. */
export type TestColumn = {
  readonly name: string;
  /** As a statement writes it, such as `DECIMAL(10,2)`. */
  readonly type: string;
};

/** Rows of a statement; values are texts, as the service sends them. */
export type TestResult = {
  readonly columns: readonly TestColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** How many rows each chunk has. Default: one chunk with all of them. */
  readonly chunkRows?: readonly number[];
};

export type TestFailure = { readonly message: string; readonly sqlState?: string };

/** What a statement comes to; `endless` runs until it is ended. */
export type TestAnswer = TestResult | TestFailure | 'endless';

export const isResult = (answer: TestAnswer): answer is TestResult =>
  answer !== 'endless' && 'columns' in answer;

/** A result of texts. */
export const texts = (
  names: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): TestResult => ({ columns: names.map((name) => ({ name, type: 'STRING' })), rows });
