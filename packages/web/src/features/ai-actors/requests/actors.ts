import {
  getAiActor,
  getAiPlan,
  listAiActorPlans,
  listAiActors,
  listAiThinks,
  type QueryOf,
} from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

const lookMs = 2_000;

/** One page of the actors. */
export const aiActors = (query: QueryOf<typeof listAiActors>) => read(listAiActors, { query });

/** One actor; looked at again while it thinks, as the hub tells of progress only to who ordered it. */
export const aiActor = (id: number) =>
  queryOptions({
    ...read(getAiActor, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && state.data.openThinkId !== null ? lookMs : false),
  });

/** What an actor thought last; looked at again until it has ended. */
export const aiThinks = (id: number) =>
  queryOptions({
    ...read(listAiThinks, { params: { id }, query: { pageSize: '20' } }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ finishedAt }) => finishedAt === null) ? lookMs : false,
  });

/** The last plans of an actor. */
export const aiActorPlans = (id: number) =>
  read(listAiActorPlans, { params: { id }, query: { pageSize: '20' } });

/** One plan. */
export const aiPlan = (id: number) => read(getAiPlan, { params: { id } });
