import type { Answer, AnswerSummary, Conversation } from '@svc/contract';
import type { ConversationRow } from './conversation-store.ts';
import type { AnswerRow } from './store.ts';

export const presentConversation = (row: ConversationRow): Conversation => ({
  id: row.id,
  projectId: row.projectId,
  projectName: row.projectName,
  title: row.title ?? '',
  answerCount: row.answerCount,
  createdTime: row.createdTime.toISOString(),
  lastAskedAt: row.lastAskedAt?.toISOString() ?? null,
});

export const presentSummary = (row: AnswerRow): AnswerSummary => ({
  id: row.id,
  conversationId: row.conversationId,
  projectId: row.projectId,
  dataSourceId: row.dataSourceId,
  dataSourceName: row.dataSourceName,
  question: row.question,
  state: row.state,
  stage: row.stage,
  basis: row.basis,
  confidence: row.confidence,
  sql: row.sql,
  askedAt: row.askedAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
  feedback: row.feedback,
});

/** Returns an answer for the API. @param rows  Decrypted rows; null if there are none. */
export const presentAnswer = (row: AnswerRow, rows: Answer['rows']): Answer => ({
  ...presentSummary(row),
  assumptions: row.detail.assumptions ?? [],
  advisories: row.detail.advisories ?? [],
  clarification: row.detail.clarification ?? null,
  missing: row.detail.missing ?? null,
  failure: row.detail.failure ?? null,
  votes: row.detail.votes ?? null,
  similar: row.detail.similar ?? [],
  columns: row.detail.columns ?? [],
  rows,
  truncatedBy: row.detail.truncatedBy ?? null,
  tokens: { input: row.inputTokens, output: row.outputTokens, isEstimated: row.isEstimated },
  cost: row.cost,
  durationMs: row.durationMs,
  jobId: row.jobId,
});
