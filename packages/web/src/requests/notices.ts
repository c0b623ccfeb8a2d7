import { listNotices } from '@svc/contract';
import { read } from '../lib/server-state.ts';

const shownMax = '5';

/** What the signed-in person has not read yet: the newest, and how many there are. */
export const unreadNotices = read(listNotices, { query: { isUnread: true, pageSize: shownMax } });
