import { comparableText } from '../../platform/tabular/index.ts';

/** Unchanged rows with their column names. */
export type Rows = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
};

/** Upper bound for tried pairings of columns. */
const triesMax = 10_000;

const textsOf = (rows: Rows['rows']): string[][] => rows.map((row) => row.map(comparableText));
const columnOf = (rows: readonly (readonly string[])[], at: number): string[] =>
  rows.map((row) => row[at] ?? 'null');
const digest = (texts: readonly string[]): string => JSON.stringify(texts.toSorted());

/**
 * Returns true when the answer contains the correct rows. Columns are matched by their values; names and additional
 * columns do not matter. Rows must occur equally often and, when `isOrdered` is true, in the same order.
 */
export function holdsRows(gold: Rows, answer: Rows, isOrdered: boolean): boolean {
  if (gold.rows.length !== answer.rows.length) return false;
  if (gold.rows.length === 0) return answer.columns.length >= gold.columns.length;
  const goldRows = textsOf(gold.rows);
  const answerRows = textsOf(answer.rows);
  const signature = (texts: readonly string[]) => (isOrdered ? JSON.stringify(texts) : digest(texts));
  const answerSignatures = answer.columns.map((_, at) => signature(columnOf(answerRows, at)));
  const choices = gold.columns.map((_, at) => {
    const goldSignature = signature(columnOf(goldRows, at));
    return answerSignatures.flatMap((other, index) => (other === goldSignature ? [index] : []));
  });
  const goldDigest = digest(goldRows.map((row) => JSON.stringify(row)));
  const rowsUnder = (picked: readonly number[]) =>
    digest(answerRows.map((row) => JSON.stringify(picked.map((at) => row[at] ?? 'null'))));
  let tries = 0;
  const pick = (picked: readonly number[]): boolean => {
    if (tries > triesMax) return false;
    if (picked.length === choices.length) {
      tries += 1;
      return isOrdered || rowsUnder(picked) === goldDigest;
    }
    return (choices[picked.length] ?? []).some((at) => !picked.includes(at) && pick([...picked, at]));
  };
  return pick([]);
}
