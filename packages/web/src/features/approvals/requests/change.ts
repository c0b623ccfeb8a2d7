import { getChange } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

/** One request as it is now: what is decided about must not be an older copy. */
export const change = (id: number) => queryOptions({ ...read(getChange, { params: { id } }), staleTime: 0 });
