import type { ListQuery, Notice, Page } from '@svc/contract';
import type { Send } from '../../doors/send/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import { serveMails } from './mails.ts';
import { presentNotice } from './present.ts';
import { findReaders } from './responsible.ts';
import { listNotices, markRead } from './store.ts';
import { createTell, type TellDeps, type TellResponsible } from './tell.ts';
import { viewOf } from './view.ts';

export type NoticesService = ReturnType<typeof createNoticesService>;

/**
 * Notices: what the service tells whoever answers for something, or follows it. They stand in the service until they
 * are read, and go out by mail where the host sends mail and the reader has an address. Who may be told is asked when
 * a notice is made, when it is shown and when its mail leaves.
 */
export function createNoticesService(
  deps: TellDeps & {
    readonly send: Pick<Send, 'toPerson'>;
    readonly baseUrl: () => Promise<string | undefined>;
  },
) {
  const { database, rights } = deps;
  const tell = createTell(deps);
  serveMails({ ...deps, tellInstead: tell.instead });

  return {
    /**
     * Tells the owner of a subject something, in the transaction of what it is about; where the owner cannot be
     * told, the administrators of its project, else the Admins.
     *
     * @param notice.isRepetition  The last notice of this kind said the same: only those hear it who were not told then.
     */
    tellResponsible: ((tx, { isRepetition, ...notice }) =>
      tell.toResponsible(tx, notice, isRepetition ? 'the last' : 'nobody')) satisfies TellResponsible,

    /** Tells people who follow something, but those who may not read it. */
    tellPeople: tell.toPeople,

    /** Those of the users who may sign in and read a project. */
    readersAmong: (executor: Executor, projectId: number, userIds: readonly number[]): Promise<number[]> =>
      findReaders(executor, rights, projectId, userIds),

    list: async (
      caller: Caller,
      query: ListQuery & { isUnread?: boolean | undefined },
    ): Promise<Page<Notice> & { unreadCount: number }> => {
      const page = pageRequest(query, { sortable: { id: 'n.id' }, byDefault: '-id', unique: 'n.id' });
      if (caller.userId === null) return { ...pageOf<Notice>([], 0, page), unreadCount: 0 };
      const filter = { isUnread: query.isUnread };
      const view = await viewOf(database, rights, caller, caller.userId);
      const found = await listNotices(database, view, filter, page);
      return {
        ...pageOf(found.rows.map(presentNotice), found.totalCount, page),
        unreadCount: found.unreadCount,
      };
    },

    read: async (caller: Caller, id: number): Promise<void> => {
      if (caller.userId === null || (await markRead(database, caller.userId, id)) === 0) throw notFound();
    },

    readAll: async (caller: Caller): Promise<void> => {
      if (caller.userId !== null) await markRead(database, caller.userId);
    },
  };
}
