import { getApproval } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

/** One request about a query as it is now: what is decided about must not be an older copy. */
export const queryApproval = (id: number) =>
  queryOptions({ ...read(getApproval, { params: { id } }), staleTime: 0 });
