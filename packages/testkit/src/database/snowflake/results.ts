/** A column of a result, as tests write it. */
export type TestColumn = {
  readonly name: string;
  readonly type: string;
  readonly precision?: number;
  readonly scale?: number;
  readonly length?: number;
};

/** Rows of a statement; values are texts, as the service sends them. */
export type TestResult = {
  readonly columns: readonly TestColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** How many rows each part has. Default: one part with all of them. */
  readonly partRows?: readonly number[];
};

export type TestFailure = {
  readonly code: string;
  readonly sqlState: string;
  readonly message: string;
};

/** What a statement comes to; `endless` runs until it is ended. */
export type TestAnswer = TestResult | TestFailure | 'endless';

export const isResult = (answer: TestAnswer): answer is TestResult =>
  answer !== 'endless' && 'columns' in answer;

/** A result of texts. */
export const texts = (
  names: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): TestResult => ({ columns: names.map((name) => ({ name, type: 'text' })), rows });
