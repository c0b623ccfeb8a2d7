import { getChange } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

/** One request, always read anew: the user must not decide about a stale copy. */
export const change = (id: number) => queryOptions({ ...read(getChange, { params: { id } }), staleTime: 0 });
