import { type ListQuery, type Notice, noticeSubjectKinds, type Page } from '@svc/contract';
import { defineJob, type Jobs } from '@svc/jobs';
import type { Send } from '../../doors/send/index.ts';
import { type Caller, holds } from '../../platform/access/index.ts';
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
  findVisibleNotice,
  insertNotices,
  listNotices,
  lockSubject,
  markRead,
  type NewNotice,
  type NoticeRow,
  type NoticeView,
} from './store.ts';
import { permissionOf, subjects } from './subjects.ts';

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

/**
 * Tells whoever answers for something, in the transaction of what it is about: the owner, or who stands in where
 * the owner cannot be told.
 */
export type TellResponsible = (
  tx: Tx,
  notice: NewNotice & {
    /** True when the last notice of this kind said the same: only those hear it who did not hear that one. */
    readonly isRepetition: boolean;
  },
) => Promise<void>;

export type NoticesService = ReturnType<typeof createNoticesService>;

/**
 * Notices: what the service tells whoever answers for something about it. They stand in the service until they
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
  /** Tells readers who are at their pages, in the transaction of the notices. */
  readonly noticesCreated: (
    tx: Tx,
    kind: NewNotice['kind'],
    made: readonly { readonly noticeId: number; readonly userId: number }[],
  ) => Promise<void>;
  readonly baseUrl: () => Promise<string | undefined>;
}) {
  const { database, rights, jobs } = deps;

  const linkOf = (base: string | undefined, notice: NoticeRow): string | undefined => {
    if (base === undefined) return undefined;
    if (notice.runId !== null) return `${base}/notifications/${notice.runId}`;
    return notice.subjectKind === 'Subscription' ? `${base}/subscriptions/${notice.subjectId}` : undefined;
  };

  const viewOf = async (caller: Caller, userId: number): Promise<NoticeView> => ({
    userId,
    projectIds: await rights.readableIds(database, caller),
    kinds: noticeSubjectKinds.filter((kind) => holds(caller, permissionOf[kind])),
  });

  /** Stores a notice for everybody who answers for its subject now and does not know, and orders their mails. */
  const tell = async (tx: Tx, notice: NewNotice, knows: 'nobody' | 'of this' | 'the last'): Promise<void> => {
    const { kind, subject: key } = notice;
    const subject = await subjects[key.kind]?.(tx, key.id);
    if (!subject) return;
    const { userIds, standsIn } = await findResponsible(tx, rights, subject, permissionOf[key.kind]);
    if (userIds.length === 0)
      deps.log.warn({ kind, subject: key }, 'nobody who may read something could be told of it');
    const { [standInFact]: _before, ...own } = notice.facts;
    const facts = standsIn ? { ...own, [standInFact]: true } : own;
    const made = await insertNotices(tx, userIds, { ...notice, facts }, subject, knows);
    await deps.noticesCreated(tx, kind, made);
    for (const { noticeId } of made) if (deps.hasMail) await jobs.enqueue(tx, mailNotice, { noticeId });
  };

  /** Tells what somebody can no longer be told to those who answer for it now; the mails of several take turns. */
  const tellInstead = (notice: NewNotice): Promise<void> =>
    database.transaction(async (tx) => {
      await lockSubject(tx, notice.subject);
      await tell(tx, notice, 'of this');
    });

  /** The mail of a notice, while its reader may sign in, read the project, and has an address. */
  const mailOf = async (noticeId: number) => {
    const base = (await deps.baseUrl())?.replace(/\/+$/, '');
    const stored = await findNotice(database, noticeId);
    if (!stored) return undefined;
    const [user] = await findUsers(database, [stored.userId]);
    const view = user && (await viewOf(personOf(user), user.id));
    const notice = view && (await findVisibleNotice(database, view, noticeId));
    if (!user || !notice) {
      await tellInstead(stored);
      return undefined;
    }
    if (user.email === null) return undefined;
    const link = linkOf(base, notice);
    return {
      to: user.email,
      title: `[Svc] ${notice.subjectName}`,
      text: textOfNotice(notice),
      ...(link !== undefined && { link }),
    };
  };

  jobs.handle(mailNotice, async ({ noticeId }, { signal }) => {
    await deps.send.toPerson(() => mailOf(noticeId), { deliveryId: `notice-${noticeId}`, signal });
  });

  return {
    /**
     * Tells the owner of a subject something, in the transaction of what it is about; where the owner cannot be
     * told, the administrators of its project, else the Admins.
     *
     * @param notice.isRepetition  The last notice of this kind said the same: only those hear it who were not told then.
     */
    tellResponsible: ((tx, { isRepetition, ...notice }) =>
      tell(tx, notice, isRepetition ? 'the last' : 'nobody')) satisfies TellResponsible,

    list: async (
      caller: Caller,
      query: ListQuery & { isUnread?: boolean | undefined },
    ): Promise<Page<Notice> & { unreadCount: number }> => {
      const page = pageRequest(query, { sortable: { id: 'n.id' }, byDefault: '-id', unique: 'n.id' });
      if (caller.userId === null) return { ...pageOf<Notice>([], 0, page), unreadCount: 0 };
      const filter = { isUnread: query.isUnread };
      const found = await listNotices(database, await viewOf(caller, caller.userId), filter, page);
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
