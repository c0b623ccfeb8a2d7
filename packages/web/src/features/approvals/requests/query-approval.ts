import { getApproval } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

/** One request about a query, always read anew: the user must not decide about a stale copy. */
export const queryApproval = (id: number) =>
  queryOptions({ ...read(getApproval, { params: { id } }), staleTime: 0 });
