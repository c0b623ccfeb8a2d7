import { listApiKeys, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One page of the reader's own keys. */
export const ownKeys = (query: QueryOf<typeof listApiKeys>) => read(listApiKeys, { query });
