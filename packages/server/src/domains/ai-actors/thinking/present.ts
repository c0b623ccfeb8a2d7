import type { AiThink } from '@svc/contract';
import type { ThinkRow } from './store.ts';

/** Returns a think for the API. */
export const presentThink = (row: ThinkRow): AiThink => ({
  id: row.id,
  actorId: row.actorId,
  origin: row.origin,
  state: row.state,
  orderedByUserName: row.orderedByUserName,
  feedback: row.feedback,
  analysis: row.analysis,
  findings: row.findings,
  discarded: row.discarded,
  applied: row.applied.map(({ type, queryId, queryName }) => ({ type, queryId, queryName })),
  planId: row.planId,
  failure: row.failureCode === null ? null : { code: row.failureCode, message: row.failure ?? '' },
  tokens: { input: row.inputTokens, output: row.outputTokens, isEstimated: row.isEstimated },
  model: row.model,
  jobId: row.jobId,
  orderedAt: row.orderedAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  finishedAt: row.finishedAt?.toISOString() ?? null,
});
