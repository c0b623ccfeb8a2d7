import type { ListQuery, Notice, Page } from '@svc/contract';
import type { Send } from '../../gateways/send/index.ts';
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
 * Creates the notices service. A notice reports an event to the users who are responsible for a subject, or who follow
 * it. A mail is sent as well if the host sends mail and the reader has an address. The right to read a notice is
 * checked when the notice is created, when it is displayed and when its mail is sent.
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
     * Notifies the owner of a subject, in the transaction of the event. If the owner cannot be notified, the
     * administrators of the project receive the notice, otherwise the Admins.
     *
     * @param notice.isRepetition  The last notice of this kind said the same: only users who did not receive it get
     *   this one.
     */
    tellResponsible: ((tx, { isRepetition, ...notice }) =>
      tell.toResponsible(tx, notice, isRepetition ? 'the last' : 'nobody')) satisfies TellResponsible,

    /** Notifies followers of a subject, except users who may not read it. */
    tellPeople: tell.toPeople,

    /** Returns the given users who may sign in and read the project. */
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
      const list = await listNotices(database, view, filter, page);
      return {
        ...pageOf(list.rows.map(presentNotice), list.totalCount, page),
        unreadCount: list.unreadCount,
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
