import { listAudit, type QueryOf } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

/** One page of the security events. Each read creates an event, so the query never refetches automatically. */
export const audit = (query: QueryOf<typeof listAudit>) =>
  queryOptions({
    ...read(listAudit, { query }),
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
