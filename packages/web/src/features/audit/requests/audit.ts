import { listAudit, type QueryOf } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

/** One page of the security events. Reading is an event itself, so that nothing reads again by itself. */
export const audit = (query: QueryOf<typeof listAudit>) =>
  queryOptions({
    ...read(listAudit, { query }),
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
