import { listSessions } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** The browsers in which the reader is signed in. */
export const sessions = read(listSessions, { query: { pageSize: '50' } });
