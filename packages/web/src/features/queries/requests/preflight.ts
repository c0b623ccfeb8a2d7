import { type BodyOf, type Preflight, preflightDraft } from '@svc/contract';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { call } from '../../../lib/call.ts';

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
