import { listApiKeys, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One page of the user's own keys. */
export const ownKeys = (query: QueryOf<typeof listApiKeys>) => read(listApiKeys, { query });
