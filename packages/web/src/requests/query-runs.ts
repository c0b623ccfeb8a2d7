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
import { call } from '../lib/call.ts';

const whole = { extent: 'Whole' } as const;

/**
 * Runs a draft and answers its result, as much as a preview reads. The service stops it by `runKey`; aborting stops the
 * statement at the data source, too.
 */
export const runDraft = (
  body: BodyOf<typeof previewDraft>,
  runKey: string,
  signal: AbortSignal,
): Promise<QueryPreview> => call(previewDraft, { body, query: { ...whole, runKey } }, { signal });

/** Runs a saved query and answers its result, as much as a preview reads. Aborting stops it at the data source. */
export const runSaved = (
  id: number,
  body: BodyOf<typeof previewQuery>,
  runKey: string,
  signal: AbortSignal,
): Promise<QueryPreview> =>
  call(previewQuery, { params: { id }, body, query: { ...whole, runKey } }, { signal });

/** Stops a run of the caller's own. `Stopped`: its data source has ended it. */
export const stopAtService = async (runKey: string) => (await call(stopRun, { params: { runKey } })).outcome;

export type PreflightBody = BodyOf<typeof preflightDraft>;

/** What the service checks of a query before it runs. Holds until it is asked for again: sources come and go. */
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

/** How the engines would go about a query. Holds until it is asked for again: tables grow. */
export const plans = (body: PreflightBody | undefined) =>
  queryOptions({
    queryKey: ['plans', body] as const,
    queryFn: body ? ({ signal }): Promise<QueryPlans> => call(explainDraft, { body }, { signal }) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** Runs a saved query for the number of its rows alone. */
export const countSaved = (
  id: number,
  body: BodyOf<typeof previewQuery>,
  runKey: string,
  signal: AbortSignal,
): Promise<QueryPreview> =>
  call(previewQuery, { params: { id }, body, query: { page: '0', pageSize: '1', runKey } }, { signal });

/** How many rows a draft answers now. */
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
