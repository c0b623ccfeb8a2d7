import type { ListQuery, Notice, Page } from '@svc/contract';
import { defineJob, type Jobs } from '@svc/jobs';
import type { Send } from '../../doors/send/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { findUsers, personOf } from '../users/index.ts';
import { presentNotice, textOfNotice } from './present.ts';
import { findResponsible } from './responsible.ts';
import { standInFact } from './stand-in.ts';
import {
  findNotice,
  findSubject,
  findVisibleNotice,
  insertNotices,
  listNotices,
  lockSubscription,
  markRead,
  type NewNotice,
  type NoticeRow,
} from './store.ts';

const mailNotice = defineJob<{ readonly noticeId: number }>({
  name: 'mail-notice',
  queue: 'deliveries',
  // A mail that may have left is not sent again: the notice stands in the service all the same.
  retry: { attemptsMax: 1 },
  parse: (value) => {
    const { noticeId } = Object(value) as { noticeId?: unknown };
    if (typeof noticeId !== 'number' || !Number.isSafeInteger(noticeId))
      throw new TypeError('noticeId must be an integer.');
    return { noticeId };
  },
});

export type NoticesService = ReturnType<typeof createNoticesService>;

/**
 * Notices: what the service tells whoever answers for a subscription about it. They stand in the service until they
 * are read, and go out by mail where the host sends mail and the reader has an address. Who may be told is asked when
 * a notice is made, when it is shown and when its mail leaves.
 */
export function createNoticesService(deps: {
  readonly database: Database;
  readonly log: Logger;
  readonly rights: ProjectRights;
  readonly jobs: Jobs;
  readonly send: Pick<Send, 'toPerson'>;
  readonly hasMail: boolean;
  readonly baseUrl: () => Promise<string | undefined>;
}) {
  const { database, rights, jobs } = deps;

  const linkOf = (base: string | undefined, { runId, subscriptionId }: NoticeRow): string | undefined => {
    if (base === undefined) return undefined;
    return runId === null ? `${base}/subscriptions/${subscriptionId}` : `${base}/notifications/${runId}`;
  };

  /** Stores a notice for everybody who answers for its subscription now and does not know, and orders their mails. */
  const tell = async (tx: Tx, notice: NewNotice, knows: 'nobody' | 'of this' | 'the last'): Promise<void> => {
    const subject = await findSubject(tx, notice.subscriptionId);
    if (!subject) return;
    const { userIds, standsIn } = await findResponsible(tx, rights, subject);
    const { kind, subscriptionId } = notice;
    if (userIds.length === 0)
      deps.log.warn({ kind, subscriptionId }, 'nobody who may read a subscription could be told of it');
    const { [standInFact]: _before, ...own } = notice.facts;
    const facts = standsIn ? { ...own, [standInFact]: true } : own;
    for (const noticeId of await insertNotices(tx, userIds, { ...notice, facts }, knows))
      if (deps.hasMail) await jobs.enqueue(tx, mailNotice, { noticeId });
  };

  /** Tells what somebody can no longer be told to those who answer for it now; the mails of several take turns. */
  const tellInstead = (notice: NewNotice): Promise<void> =>
    database.transaction(async (tx) => {
      await lockSubscription(tx, notice.subscriptionId);
      await tell(tx, notice, 'of this');
    });

  /** The mail of a notice, while its reader may sign in, read the project, and has an address. */
  const mailOf = async (noticeId: number) => {
    const base = (await deps.baseUrl())?.replace(/\/+$/, '');
    const stored = await findNotice(database, noticeId);
    if (!stored) return undefined;
    const [user] = await findUsers(database, [stored.userId]);
    const projectIds = user ? await rights.readableIds(database, personOf(user)) : [];
    const notice = await findVisibleNotice(database, stored.userId, projectIds, noticeId);
    if (!user || !notice) {
      await tellInstead(stored);
      return undefined;
    }
    if (user.email === null) return undefined;
    const link = linkOf(base, notice);
    return {
      to: user.email,
      title: `[Svc] ${notice.queryName}`,
      text: textOfNotice(notice),
      ...(link !== undefined && { link }),
    };
  };

  jobs.handle(mailNotice, async ({ noticeId }, { signal }) => {
    await deps.send.toPerson(() => mailOf(noticeId), { deliveryId: `notice-${noticeId}`, signal });
  });

  return {
    /**
     * Tells the owner of a subscription something, in the transaction of what it is about; where the owner cannot be
     * told, the administrators of its project, else the Admins.
     *
     * @param notice.isRepetition  The last notice of this kind said the same: only those hear it who were not told then.
     */
    tellResponsible: (
      tx: Tx,
      { isRepetition, ...notice }: NewNotice & { isRepetition: boolean },
    ): Promise<void> => tell(tx, notice, isRepetition ? 'the last' : 'nobody'),

    list: async (
      caller: Caller,
      query: ListQuery & { isUnread?: boolean | undefined },
    ): Promise<Page<Notice> & { unreadCount: number }> => {
      const page = pageRequest(query, { sortable: { id: 'n.id' }, byDefault: '-id', unique: 'n.id' });
      const projectIds = await rights.readableIds(database, caller);
      if (caller.userId === null) return { ...pageOf<Notice>([], 0, page), unreadCount: 0 };
      const filter = { isUnread: query.isUnread };
      const found = await listNotices(database, caller.userId, projectIds, filter, page);
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
