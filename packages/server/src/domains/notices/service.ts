import type { ListQuery, Notice, Page } from '@svc/contract';
import { defineJob, type Jobs } from '@svc/jobs';
import type { Send } from '../../doors/send/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { presentNotice, textOfNotice } from './present.ts';
import { findForMail, insertNotice, listNotices, markRead, type NewNotice, type NoticeRow } from './store.ts';

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
 * Notices: what the service tells the owner of a subscription about it. They stand in the service until they are
 * read, and go out by mail where the host sends mail and the owner has an address.
 */
export function createNoticesService(deps: {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly jobs: Jobs;
  readonly send: Pick<Send, 'toPerson'>;
  readonly hasMail: boolean;
  readonly baseUrl: () => Promise<string | undefined>;
}) {
  const { database, rights, jobs } = deps;

  const linkOf = async ({ runId, subscriptionId }: NoticeRow): Promise<string | undefined> => {
    const base = (await deps.baseUrl())?.replace(/\/+$/, '');
    if (base === undefined) return undefined;
    return runId === null ? `${base}/subscriptions/${subscriptionId}` : `${base}/notifications/${runId}`;
  };

  jobs.handle(mailNotice, async ({ noticeId }, { signal }) => {
    const notice = await findForMail(database, noticeId);
    if (!notice || notice.email === null) return;
    const link = await linkOf(notice);
    await deps.send.toPerson(
      {
        to: notice.email,
        title: `[Svc] ${notice.queryName}`,
        text: textOfNotice(notice),
        ...(link !== undefined && { link }),
      },
      { deliveryId: `notice-${noticeId}`, signal },
    );
  });

  return {
    /** Tells a user something, in the transaction of what it is about. */
    tell: async (tx: Tx, notice: NewNotice): Promise<void> => {
      const noticeId = await insertNotice(tx, notice);
      if (deps.hasMail) await jobs.enqueue(tx, mailNotice, { noticeId });
    },

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
