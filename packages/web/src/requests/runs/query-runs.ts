import {
  type BodyOf,
  explainDraft,
  type Preflight,
  preflightDraft,
  previewDraft,
  previewQuery,
  type QueryPlans,
  type QueryPreview,
  stopRun,
} from '@svc/contract';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';

const wholeResult = { extent: 'Whole' } as const;

/**
 * Runs a draft and returns a preview of its result. The service can stop the run by its `runKey`. An abort also stops
 * the statement at the data source.
 */
export const runDraft = (
  body: BodyOf<typeof previewDraft>,
  runKey: string,
  signal: AbortSignal,
): Promise<QueryPreview> => call(previewDraft, { body, query: { ...wholeResult, runKey } }, { signal });

/** Runs a saved query and returns a preview of its result. An abort stops the statement at the data source. */
export const runSaved = (
  id: number,
  body: BodyOf<typeof previewQuery>,
  runKey: string,
  signal: AbortSignal,
): Promise<QueryPreview> =>
  call(previewQuery, { params: { id }, body, query: { ...wholeResult, runKey } }, { signal });

/** Stops a run of the caller. `Stopped`: its data source has ended it. */
export const stopAtService = async (runKey: string) => (await call(stopRun, { params: { runKey } })).outcome;

export type PreflightBody = BodyOf<typeof preflightDraft>;

/** Checks of the service before a query runs. The result is refetched only on request, although sources can change. */
export const preflight = (body: PreflightBody | undefined) =>
  queryOptions({
    queryKey: ['preflight', body] as const,
    queryFn: body
      ? ({ signal }): Promise<Preflight> => call(preflightDraft, { body }, { signal })
      : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** Plans of the engines for a query. They are refetched only on request, although tables can grow. */
export const plans = (body: PreflightBody | undefined) =>
  queryOptions({
    queryKey: ['plans', body] as const,
    queryFn: body ? ({ signal }): Promise<QueryPlans> => call(explainDraft, { body }, { signal }) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** Runs a saved query and returns only the number of its rows. */
export const countSaved = (
  id: number,
  body: BodyOf<typeof previewQuery>,
  runKey: string,
  signal: AbortSignal,
): Promise<QueryPreview> =>
  call(previewQuery, { params: { id }, body, query: { page: '0', pageSize: '1', runKey } }, { signal });

/** Present number of rows of a draft. */
export const draftCount = (body: BodyOf<typeof previewDraft> | undefined) =>
  queryOptions({
    queryKey: ['draft-count', body] as const,
    queryFn: body
      ? ({ signal }): Promise<QueryPreview> =>
          call(previewDraft, { body, query: { page: '0', pageSize: '1' } }, { signal })
      : skipToken,
    retry: false,
    refetchOnWindowFocus: false,
  });
