import { getAnswer, getConversation, getOwnLlmUsage, listConversations } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

/** The last conversations of the signed-in person in a project. */
export const conversations = (projectId: number) =>
  read(listConversations, { query: { projectId, pageSize: '20' } });

export const conversation = (id: number) => read(getConversation, { params: { id } });

const lookMs = 2_000;

/** An answer; looked at again until it has ended, should the events that tell of it be lost. */
export const answer = (id: number) =>
  queryOptions({
    ...read(getAnswer, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.finishedAt === null ? lookMs : false),
  });

/** What the signed-in person used of it. */
export const ownUsage = read(getOwnLlmUsage, { query: { days: 1 } });
