import { listFiring } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** The newest problems that exist now, and how many there are. */
export const firing = read(listFiring, { query: { pageSize: '10' } });
