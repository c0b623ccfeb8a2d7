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

export const aiActors = (query: QueryOf<typeof listAiActors>) => read(listAiActors, { query });

/** One actor. It polls while the actor thinks, because the hub sends progress only to the user who requested it. */
export const aiActor = (id: number) =>
  queryOptions({
    ...read(getAiActor, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && state.data.openThinkId !== null ? lookMs : false),
  });

/** Last thinks of an actor. It polls until the latest think has ended. */
export const aiThinks = (id: number) =>
  queryOptions({
    ...read(listAiThinks, { params: { id }, query: { pageSize: '20' } }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ finishedAt }) => finishedAt === null) ? lookMs : false,
  });

/** Last plans of an actor. */
export const aiActorPlans = (id: number) =>
  read(listAiActorPlans, { params: { id }, query: { pageSize: '20' } });

export const aiPlan = (id: number) => read(getAiPlan, { params: { id } });
