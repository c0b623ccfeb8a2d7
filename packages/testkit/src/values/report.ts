/** Value that the service did not return in the documented form. */
type Difference = {
  readonly way: string;
  readonly type: string;
  readonly row: number;
  readonly expected: string;
  readonly actual: string;
};

export type ValueReport = {
  readonly compared: number;
  /** Number of values that a query over several data sources refused, with row and column in the message. */
  readonly refused: number;
  /** Number of values that look like personal data and that the service masked. */
  readonly masked: number;
  readonly differences: readonly Difference[];
};

/** Comparison of one cell. */
type Check = {
  readonly way: string;
  readonly type: string;
  readonly row: number;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly isSame: boolean;
};

export type Report = {
  readonly check: (check: Check) => void;
  readonly refuse: () => void;
  readonly report: () => ValueReport;
};

const differencesMax = 40;
const shownCharacters = 120;

/** Matches values that masking treats as card numbers, phone numbers or email addresses. Masking cannot be disabled. */
const looksPersonal = /\d[\d ().-]{6,}\d|@/;
const isMasked = (expected: unknown, actual: unknown): boolean =>
  JSON.stringify(actual ?? null).includes('***') && looksPersonal.test(String(expected));

/** Creates the report of one comparison. It contains at most the first 40 differences. */
export function createReport(): Report {
  const differences: Difference[] = [];
  let compared = 0;
  let refused = 0;
  let masked = 0;
  const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, shownCharacters);
  return {
    check: ({ way, type, row, expected, actual, isSame }) => {
      compared += 1;
      if (isSame) return;
      if (isMasked(expected, actual)) masked += 1;
      else if (differences.length < differencesMax)
        differences.push({ way, type, row, expected: shown(expected), actual: shown(actual) });
    },
    refuse: () => {
      refused += 1;
    },
    report: () => ({ compared, refused, masked, differences }),
  };
}
