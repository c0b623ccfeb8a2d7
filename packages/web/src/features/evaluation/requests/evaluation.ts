import {
  type EvalRun,
  getEvalRun,
  listCandidates,
  listEvalResults,
  listEvalRuns,
  listEvalSchedules,
  listFeedback,
  type QueryOf,
} from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

export const candidates = (query: QueryOf<typeof listCandidates>) => read(listCandidates, { query });

export const feedback = (query: QueryOf<typeof listFeedback>) => read(listFeedback, { query });

const lookMs = 2_000;

/** Evaluations, newest first. It polls while an evaluation is in progress. */
export const evalRuns = queryOptions({
  ...read(listEvalRuns, { query: { pageSize: '50' } }),
  refetchInterval: ({ state }) =>
    state.data?.items.some(({ finishedAt }) => finishedAt === null) ? lookMs : false,
});

export const evalRun = (id: number) =>
  queryOptions({
    ...read(getEvalRun, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.finishedAt === null ? lookMs : false),
  });

/** Results of an evaluation's questions. It polls until the evaluation has ended and all results have arrived. */
export const evalResults = (id: number, run: Pick<EvalRun, 'doneCount' | 'finishedAt'> | undefined) =>
  queryOptions({
    ...read(listEvalResults, { params: { id }, query: { pageSize: '200' } }),
    refetchInterval: ({ state }) =>
      run?.finishedAt != null && (state.data?.totalCount ?? 0) >= run.doneCount ? false : lookMs,
  });

/** Evaluation schedules of projects, sorted by name. */
export const evalSchedules = read(listEvalSchedules, { query: { pageSize: '100' } });
