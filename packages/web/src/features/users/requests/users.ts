import { listUsers, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

export const users = (query: QueryOf<typeof listUsers>) => read(listUsers, { query });
