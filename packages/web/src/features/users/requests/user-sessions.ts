import { listUserSessions } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** The browsers in which somebody is signed in. */
export const userSessions = (id: number) =>
  read(listUserSessions, { params: { id }, query: { pageSize: '50' } });
