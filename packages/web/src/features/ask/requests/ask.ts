import { getAnswer, getConversation, getOwnLlmUsage, listConversations } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

/** Last conversations of the signed-in user in a project. */
export const conversations = (projectId: number) =>
  read(listConversations, { query: { projectId, pageSize: '20' } });

export const conversation = (id: number) => read(getConversation, { params: { id } });

const lookMs = 2_000;

/** One answer. It polls until the answer has ended, in case events of the hub are lost. */
export const answer = (id: number) =>
  queryOptions({
    ...read(getAnswer, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.finishedAt === null ? lookMs : false),
  });

/** Usage of the language model by the signed-in user, for one day. */
export const ownUsage = read(getOwnLlmUsage, { query: { days: 1 } });
