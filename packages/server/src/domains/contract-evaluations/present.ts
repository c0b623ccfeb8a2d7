import type { ContractEvaluation, RuleResult as ShownResult } from '@svc/contract';
import type { RuleResult } from './asking/ask-rules.ts';
import type { Sample } from './asking/source.ts';
import type { Samples } from './samples.ts';
import type { EvaluationRow, ResultRow } from './store.ts';

export const presentEvaluation = (row: EvaluationRow): ContractEvaluation => ({
  id: row.id,
  contractId: row.contractId,
  createdTime: row.createdTime.toISOString(),
  trigger: row.trigger,
  status: row.status,
  reason: row.reason,
  failedBecause: row.failedBecause,
  score: row.score,
  failScore: row.failScore,
  totalRows: row.totalRows,
  startedByUserName: row.startedByUserName,
  startedAt: row.startedAt?.toISOString() ?? null,
  finishedAt: row.finishedAt?.toISOString() ?? null,
});

const presentSample = ({ columns, rows }: Sample) => ({
  columns: [...columns],
  rows: rows.map((row) => [...row]),
});

const undecryptable = 'The failing rows cannot be decrypted with the present encryption keys.';

/** Returns a stored result for the API. */
export function presentResult(row: ResultRow, samples: Samples): ShownResult {
  const sample = row.sampleSealed === null ? undefined : samples.open(row.id, row.sampleSealed);
  return {
    ruleId: row.ruleId,
    name: row.name,
    type: row.type,
    severity: row.severity,
    outcome: row.outcome,
    score: row.score,
    failing: row.failing,
    total: row.total,
    message: row.message,
    sample: sample ? presentSample(sample) : null,
    sampleReason: row.sampleSealed !== null && !sample ? undecryptable : row.sampleReason,
  };
}

/** Returns the result of a draft's rule for the API. */
export const presentFound = ({
  rule,
  sample,
  sampleReason,
  outcome,
  score,
  failing,
  total,
  message,
}: RuleResult): Omit<ShownResult, 'ruleId'> => ({
  name: rule.name,
  type: rule.type,
  severity: rule.severity,
  outcome,
  score,
  failing,
  total,
  message,
  sample: sample ? presentSample(sample) : null,
  sampleReason,
});
