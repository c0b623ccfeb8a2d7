import { getLlmCallContent, type ListQuery, listLlmCalls } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Calls to the language model, the newest first. */
export const llmCalls = (query: ListQuery) => read(listLlmCalls, { query });

/** What was sent in a call and what was answered. Reading it is audited, so that it is read once. */
export const llmCallContent = (id: number) => ({
  ...read(getLlmCallContent, { params: { id } }),
  staleTime: Number.POSITIVE_INFINITY,
});
