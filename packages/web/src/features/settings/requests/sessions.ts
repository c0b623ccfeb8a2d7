import { listSessions } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Sessions of the signed-in user. */
export const sessions = read(listSessions, { query: { pageSize: '50' } });
