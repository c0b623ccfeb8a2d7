import { getLlmCallContent, type ListQuery, listLlmCalls } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Calls to the language model, newest first. */
export const llmCalls = (query: ListQuery) => read(listLlmCalls, { query });

/** Request and response text of a call. Each read is audited, so the query never reads twice. */
export const llmCallContent = (id: number) => ({
  ...read(getLlmCallContent, { params: { id } }),
  staleTime: Number.POSITIVE_INFINITY,
});
