import { listAllApiKeys, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One page of the keys of all users, for administrators. */
export const allKeys = (query: QueryOf<typeof listAllApiKeys>) => read(listAllApiKeys, { query });
