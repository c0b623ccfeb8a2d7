import { defineJob, type Jobs } from '@svc/jobs';
import type { Send } from '../../gateways/send/index.ts';
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

/**
 * Shortest pause between two mails to one user about one task. Notices in the meantime wait and share the next mail.
 */
const taskMailPauseMs = 10 * 60_000;

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;

const mailNotice = defineJob<{ readonly noticeId: number }>({
  name: 'mail-notice',
  queue: 'deliveries',
  // No retry: the mail may have left before the failure. The service shows the notice in any case.
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
  // Until `Started`: a notice that arrives while the job runs needs another job.
  dedupe: { key: keyOf, until: 'Started' },
  concurrency: { limit: 1, key: keyOf },
  parse: (value) => {
    const { taskId, userId } = Object(value) as { taskId?: unknown; userId?: unknown };
    if (!isId(taskId) || !isId(userId)) throw new TypeError('taskId and userId must be integers.');
    return { taskId, userId };
  },
});

/** Kinds of notices whose mails another domain sends. */
const mailedByTheirDomain: ReadonlySet<NewNotice['kind']> = new Set(['KeyExpires']);

/** Enqueues the mails of new notices, in the transaction that stores the notices. */
export async function orderMails(
  tx: Tx,
  jobs: Jobs,
  { kind, subject }: NewNotice,
  createdNotices: readonly { readonly noticeId: number; readonly userId: number }[],
): Promise<void> {
  if (mailedByTheirDomain.has(kind)) return;
  for (const { noticeId, userId } of createdNotices) {
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
  /** Passes a notice that its reader may no longer see to the users who are responsible now. */
  readonly tellInstead: (notice: NewNotice) => Promise<void>;
};

/** Handles the mail jobs. A mail is sent only while its reader may sign in, may read the project and has an address. */
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

  /** Builds one mail from the notices that the user may see. The other notices go to `tellInstead`. */
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
        deliveryId: `notice-${noticeId}`,
        signal,
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
        deliveryId: `notice-${first}`,
        signal,
      });
  });
}
