import { listNotices } from '@svc/contract';
import { read } from '../lib/server-state.ts';

const shownMax = '5';

/** Newest unread notices of the signed-in user, and their total number. */
export const unreadNotices = read(listNotices, { query: { isUnread: true, pageSize: shownMax } });
