/** A value that left in another form than the documented one. */
type Difference = {
  readonly way: string;
  readonly type: string;
  readonly row: number;
  readonly expected: string;
  readonly actual: string;
};

export type ValueReport = {
  readonly compared: number;
  /** Values that a query over several data sources refused by row and column. */
  readonly refused: number;
  /** Random values that look like a personal number and left masked. */
  readonly masked: number;
  readonly differences: readonly Difference[];
};

/** One cell to compare. */
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

/** Values that masking takes for card or phone numbers or addresses. It cannot be switched off. */
const looksPersonal = /\d[\d ().-]{6,}\d|@/;
const isMasked = (expected: unknown, actual: unknown): boolean =>
  JSON.stringify(actual ?? null).includes('***') && looksPersonal.test(String(expected));

/** Creates the report of one comparison. It has the first differences. */
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
