import { defineJob, type Jobs } from '@svc/jobs';
import type { Send } from '../../doors/send/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { findUsers, personOf, unmailedNoticeKinds } from '../users/index.ts';
import { textOfNotice } from './present.ts';
import {
  claimUnmailed,
  findNotice,
  findVisibleNotice,
  lastTaskMailAt,
  type NewNotice,
  type NoticeRow,
} from './store.ts';
import { viewOf } from './view.ts';

/** What is told of one task within this time after a mail waits, and goes out as one. */
const taskMailPauseMs = 10 * 60_000;

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;

const mailNotice = defineJob<{ readonly noticeId: number }>({
  name: 'mail-notice',
  queue: 'deliveries',
  // A mail that may have left is not sent again: the notice stands in the service all the same.
  retry: { attemptsMax: 1 },
  parse: (value) => {
    const { noticeId } = Object(value) as { noticeId?: unknown };
    if (!isId(noticeId)) throw new TypeError('noticeId must be an integer.');
    return { noticeId };
  },
});

const keyOf = (key: { readonly taskId: number; readonly userId: number }) => `${key.taskId} ${key.userId}`;

const mailTaskNotices = defineJob<{ readonly taskId: number; readonly userId: number }>({
  name: 'mail-task-notices',
  queue: 'deliveries',
  retry: { attemptsMax: 1 },
  // Until it starts: what is told meanwhile needs another look.
  dedupe: { key: keyOf, until: 'Started' },
  concurrency: { limit: 1, key: keyOf },
  parse: (value) => {
    const { taskId, userId } = Object(value) as { taskId?: unknown; userId?: unknown };
    if (!isId(taskId) || !isId(userId)) throw new TypeError('taskId and userId must be integers.');
    return { taskId, userId };
  },
});

/** Kinds whose mails are sent by the domain that the notice is about. */
const mailedByTheirDomain: ReadonlySet<NewNotice['kind']> = new Set(['KeyExpires']);

/** Orders the mails of notices that were made, in their transaction. */
export async function orderMails(
  tx: Tx,
  jobs: Jobs,
  { kind, subject }: NewNotice,
  made: readonly { readonly noticeId: number; readonly userId: number }[],
): Promise<void> {
  if (mailedByTheirDomain.has(kind)) return;
  for (const { noticeId, userId } of made) {
    if (subject.kind === 'Task' && subject.id !== null)
      await jobs.enqueue(tx, mailTaskNotices, { taskId: subject.id, userId });
    else await jobs.enqueue(tx, mailNotice, { noticeId });
  }
}

type MailsDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly jobs: Jobs;
  readonly send: Pick<Send, 'toPerson'>;
  readonly baseUrl: () => Promise<string | undefined>;
  /** Tells what somebody can no longer be told to those who answer for it now. */
  readonly tellInstead: (notice: NewNotice) => Promise<void>;
};

/** Makes the mails that were ordered: each while its reader may sign in, read the project, and has an address. */
export function serveMails(deps: MailsDeps): void {
  const { database, jobs } = deps;

  const linkOf = (base: string, notice: NoticeRow): string | undefined => {
    if (notice.subjectKind === 'Task') return `${base}/tasks/${notice.subjectId}`;
    if (notice.runId !== null) return `${base}/notifications/${notice.runId}`;
    if (notice.subjectKind === 'Settings') return `${base}/admin-settings`;
    if (notice.subjectKind === 'Contract') return `${base}/data-quality/${notice.subjectId}`;
    if (notice.subjectKind === 'Query') return `${base}/queries/${notice.subjectId}`;
    return notice.subjectKind === 'Subscription' ? `${base}/subscriptions/${notice.subjectId}` : undefined;
  };

  /** One mail of the notices that its reader may see; whatever they may not see is told instead. */
  const mailOf = async (userId: number, noticeIds: readonly number[]) => {
    const base = (await deps.baseUrl())?.replace(/\/+$/, '');
    const [user] = await findUsers(database, [userId]);
    const view = user && (await viewOf(database, deps.rights, personOf(user), user.id));
    const visible: NoticeRow[] = [];
    for (const noticeId of noticeIds) {
      const notice = view && (await findVisibleNotice(database, view, noticeId));
      if (notice) visible.push(notice);
      else {
        const stored = await findNotice(database, noticeId);
        if (stored) await deps.tellInstead(stored);
      }
    }
    const unmailed = user ? await unmailedNoticeKinds(database, user.id) : [];
    const mailed = visible.filter(({ kind }) => !unmailed.includes(kind));
    const [notice] = mailed;
    if (!user || user.email === null || !notice) return undefined;
    const link = base === undefined ? undefined : linkOf(base, notice);
    return {
      to: user.email,
      title: `[Svc] ${notice.subjectName}`,
      text: mailed.map(textOfNotice).join('\n'),
      ...(link !== undefined && { link }),
    };
  };

  jobs.handle(mailNotice, async ({ noticeId }, { signal }) => {
    const stored = await findNotice(database, noticeId);
    if (stored)
      await deps.send.toPerson(() => mailOf(stored.userId, [noticeId]), {
        ...{ deliveryId: `notice-${noticeId}`, signal },
      });
  });

  jobs.handle(mailTaskNotices, async (key, { signal }) => {
    const noticeIds = await database.transaction(async (tx) => {
      const last = await lastTaskMailAt(tx, key);
      const nextAt = last && new Date(last.at.getTime() + taskMailPauseMs);
      if (!nextAt || nextAt <= last.now) return claimUnmailed(tx, key);
      await jobs.enqueue(tx, mailTaskNotices, key, { dueAt: nextAt });
      return [];
    });
    const [first] = noticeIds;
    if (first !== undefined)
      await deps.send.toPerson(() => mailOf(key.userId, noticeIds), {
        ...{ deliveryId: `notice-${first}`, signal },
      });
  });
}
