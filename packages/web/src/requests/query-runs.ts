import {
  type BodyOf,
  type Preflight,
  preflightDraft,
  previewDraft,
  previewQuery,
  type QueryPreview,
  stopRun,
} from '@svc/contract';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { call } from '../lib/call.ts';

/** Which page of a result is wanted, and the key by which its run can be stopped. */
export type RunPage = { readonly page: string; readonly pageSize: string; readonly runKey: string };

/** Runs a draft and answers one page of its result. Aborting stops the statement at the data source. */
export const runDraft = (
  body: BodyOf<typeof previewDraft>,
  page: RunPage,
  signal: AbortSignal,
): Promise<QueryPreview> => call(previewDraft, { body, query: page }, { signal });

/** Runs a saved query and answers one page of its result. Aborting stops the statement at the data source. */
export const runSaved = (
  id: number,
  body: BodyOf<typeof previewQuery>,
  page: RunPage,
  signal: AbortSignal,
): Promise<QueryPreview> => call(previewQuery, { params: { id }, body, query: page }, { signal });

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
