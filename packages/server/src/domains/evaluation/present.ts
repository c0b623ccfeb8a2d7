import { type EvalResult, type EvalRun, type EvalVerdict, evalVerdicts } from '@svc/contract';
import { scoreOf, type VerdictCounts } from './score.ts';
import type * as store from './store.ts';

const countsOf = (row: store.RunRow, expected: EvalResult['expected']): VerdictCounts =>
  Object.fromEntries(
    evalVerdicts.map((verdict) => [
      verdict,
      row.counts
        .filter((one) => one.expected === expected && one.verdict === verdict)
        .reduce((sum, { count }) => sum + count, 0),
    ]),
  ) as Record<EvalVerdict, number>;

export function presentRun(row: store.RunRow): EvalRun {
  const rows = countsOf(row, 'Rows');
  const noAnswer = countsOf(row, 'NoAnswer');
  return {
    id: row.id,
    projectId: row.projectId,
    projectName: row.projectName,
    state: row.state,
    failure: row.failure,
    repeats: row.repeats,
    maxTokens: row.maxTokens,
    caseCount: row.goldenIds.length * row.repeats,
    doneCount: row.doneCount,
    verdicts: Object.fromEntries(
      evalVerdicts.map((verdict) => [verdict, rows[verdict] + noAnswer[verdict]]),
    ) as Record<EvalVerdict, number>,
    ...scoreOf(rows, noAnswer),
    repairs: row.repairs,
    tokens: row.tokens,
    model: row.model,
    minAccuracy: row.minAccuracy,
    startedByName: row.startedByName,
    createdTime: row.createdTime.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    jobId: row.jobId,
  };
}
