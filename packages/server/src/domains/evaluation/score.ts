import type { EvalVerdict } from '@svc/contract';

/** 97.5th percentile of the normal distribution. */
const z = 1.959_964;

/** Returns the 95 % Wilson interval of a share; null for an empty sample. */
export function wilson(
  passed: number,
  of: number,
): { readonly lower: number; readonly upper: number } | null {
  if (of === 0) return null;
  const share = passed / of;
  const spread = 1 + (z * z) / of;
  const centre = (share + (z * z) / (2 * of)) / spread;
  const half = (z / spread) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return { lower: Math.max(0, centre - half), upper: Math.min(1, centre + half) };
}

export type VerdictCounts = Readonly<Record<EvalVerdict, number>>;

/** Returns the scores of questions with an answer and of questions without an answer. */
export function scoreOf(rows: VerdictCounts, noAnswer: VerdictCounts) {
  const answerableCount = rows.Passed + rows.WrongRows + rows.WrongTables + rows.NotRun + rows.Abstained;
  const interval = wilson(rows.Passed, answerableCount);
  const unanswerable = noAnswer.Passed + noAnswer.AnsweredUnanswerable + noAnswer.NotRun;
  return {
    accuracy: answerableCount === 0 ? null : rows.Passed / answerableCount,
    accuracyLower: interval?.lower ?? null,
    accuracyUpper: interval?.upper ?? null,
    abstentionShare: unanswerable === 0 ? null : noAnswer.Passed / unanswerable,
  };
}
