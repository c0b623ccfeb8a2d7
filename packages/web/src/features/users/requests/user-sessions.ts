import { listUserSessions } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Sessions of a user. */
export const userSessions = (id: number) =>
  read(listUserSessions, { params: { id }, query: { pageSize: '50' } });
