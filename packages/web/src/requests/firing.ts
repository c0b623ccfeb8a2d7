import { listFiring } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** One page of the problems that exist now. */
export const firing = (query: { readonly pageSize: string }) => read(listFiring, { query });
