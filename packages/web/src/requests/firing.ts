import { listFiring } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** Newest problems that exist now, and their total number. */
export const firing = read(listFiring, { query: { pageSize: '10' } });
