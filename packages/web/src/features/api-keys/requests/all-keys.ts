import { listAllApiKeys, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One page of everybody's keys, for administrators. */
export const allKeys = (query: QueryOf<typeof listAllApiKeys>) => read(listAllApiKeys, { query });
