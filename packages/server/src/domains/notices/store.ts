import type { NoticeKind, NoticeSubjectKind } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';
import { standInFact } from './stand-in.ts';
import type { Subject, SubjectKey } from './subjects.ts';

/** Content of a notice, before its readers are determined. */
export type NewNotice = {
  readonly kind: NoticeKind;
  readonly subject: SubjectKey;
  readonly runId: number | null;
  readonly facts: Readonly<Record<string, unknown>>;
};

export type NoticeRow = {
  readonly id: number;
  readonly kind: NoticeKind;
  readonly subjectKind: NoticeSubjectKind;
  readonly subjectId: number | null;
  readonly subjectName: string;
  readonly projectId: number | null;
  readonly runId: number | null;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly createdTime: Date;
  readonly readAt: Date | null;
};

const columns = `n.id, n.kind, n.subject_kind as "subjectKind", n.subject_id as "subjectId",
  n.subject_name as "subjectName", n.project_id as "projectId", n.run_id as "runId", n.facts,
  n.created_time as "createdTime", n.read_at as "readAt"`;

/** Notices that one user may see. */
export type NoticeView = {
  readonly userId: number;
  /** Ids of the projects that the user can read; null: all projects. */
  readonly projectIds: readonly number[] | null;
  /** Kinds of subjects without a project that the user may see by a permission. */
  readonly kinds: readonly NoticeSubjectKind[];
};

/**
 * Condition for the notices of one user: about projects that the user can read, or without a project by a permission.
 * The list and the mail share it. $1 to $3 are the members of the view.
 */
const isVisible = `n.user_id = $1 and case when n.project_id is null then n.subject_kind = any($3::text[])
  else $2::int[] is null or n.project_id = any($2::int[]) end`;
const valuesOf = ({ userId, projectIds, kinds }: NoticeView): unknown[] => [userId, projectIds, kinds];

/**
 * Stores a notice for each user, except users who have an equal notice.
 *
 * @param knows  Users to skip: none, users who have this notice, or users who received the last notice of this kind.
 * @returns the new notices with their readers.
 */
export async function insertNotices(
  tx: Tx,
  userIds: readonly number[],
  notice: NewNotice,
  { name, projectId }: Subject,
  knows: 'nobody' | 'of this' | 'the last',
): Promise<{ noticeId: number; userId: number }[]> {
  const { rows } = await tx.query<{ noticeId: number; userId: number }>({
    name: 'notices-insert',
    text: `insert into svc.notices (user_id, kind, subject_kind, subject_id, subject_name, project_id, run_id, facts)
      select u.id, $2, $3, $4, $5, $6, $7, $8::jsonb from unnest($1::int[]) as u (id)
      where not exists (select from svc.notices n
        where n.user_id = u.id and n.subject_kind = $3 and n.subject_id is not distinct from $4 and n.kind = $2
          and case $9
            when 'of this' then n.run_id is not distinct from $7 and n.facts - '${standInFact}' = $8::jsonb - '${standInFact}'
            -- What is about no run is one telling while it says the same.
            when 'the last' then (select coalesce(n.run_id >= l.run_id,
                n.facts - '${standInFact}' = l.facts - '${standInFact}') from svc.notices l
              where l.subject_kind = $3 and l.subject_id is not distinct from $4 and l.kind = $2
              order by l.id desc limit 1)
            else false end)
      returning id as "noticeId", user_id as "userId"`,
    values: [
      userIds,
      notice.kind,
      notice.subject.kind,
      notice.subject.id,
      name,
      projectId,
      notice.runId,
      JSON.stringify(notice.facts),
      knows,
    ],
  });
  return rows;
}

/** Returns one page of the notices that a user may see, and the number of unread notices among all of them. */
export async function listNotices(
  executor: Executor,
  view: NoticeView,
  filter: { readonly isUnread?: boolean | undefined },
  page: PageRequest,
): Promise<{ rows: NoticeRow[]; totalCount: number; unreadCount: number }> {
  const matchesFilter = `($4::boolean is null or (n.read_at is null) = $4)`;
  const values = [...valuesOf(view), filter.isUnread ?? null];
  const { rows: counted } = await executor.query<{ totalCount: number; unreadCount: number }>(
    `select count(*) filter (where ${matchesFilter}) as "totalCount", count(*) filter (where n.read_at is null) as "unreadCount"
     from svc.notices n where ${isVisible}`,
    values,
  );
  const { rows } = await executor.query<NoticeRow>(
    `select ${columns} from svc.notices n where ${isVisible} and ${matchesFilter}
     order by ${orderBy(page)} limit $5 offset $6`,
    [...values, page.limit, page.offset],
  );
  const { totalCount = 0, unreadCount = 0 } = counted[0] ?? {};
  return { rows, totalCount, unreadCount };
}

/** Marks one notice of a user as read; without an id, all unread notices. Returns the number of updated notices. */
export async function markRead(executor: Executor, userId: number, id?: number): Promise<number> {
  const { rowCount } = await executor.query(
    `update svc.notices set read_at = coalesce(read_at, now())
     where user_id = $1 and case when $2::bigint is null then read_at is null else id = $2 end`,
    [userId, id ?? null],
  );
  return rowCount ?? 0;
}

/** Finds a notice and its reader, without a check of rights. */
export async function findNotice(
  executor: Executor,
  id: number,
): Promise<(NewNotice & { userId: number }) | undefined> {
  const { rows } = await executor.query<Omit<NewNotice, 'subject'> & { userId: number } & SubjectColumns>(
    `select n.user_id as "userId", n.kind, n.subject_kind as "subjectKind", n.subject_id as "subjectId",
       n.run_id as "runId", n.facts
     from svc.notices n where n.id = $1`,
    [id],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { subjectKind, subjectId, ...notice } = row;
  return { ...notice, subject: { kind: subjectKind, id: subjectId } };
}
type SubjectColumns = Pick<NoticeRow, 'subjectKind' | 'subjectId'>;

/** Finds a notice that the view includes. */
export async function findVisibleNotice(
  executor: Executor,
  view: NoticeView,
  id: number,
): Promise<NoticeRow | undefined> {
  const { rows } = await executor.query<NoticeRow>(
    `select ${columns} from svc.notices n where ${isVisible} and n.id = $4`,
    [...valuesOf(view), id],
  );
  return rows[0];
}

type TaskReader = { readonly taskId: number; readonly userId: number };

/** Returns the time of the last mail about a task to a reader, and the database time; undefined without a mail. */
export async function lastTaskMailAt(
  tx: Tx,
  { taskId, userId }: TaskReader,
): Promise<{ readonly at: Date; readonly now: Date } | undefined> {
  const { rows } = await tx.query<{ at: Date; now: Date }>(
    `select n.mailed_at as at, now() from svc.notices n
     where n.user_id = $1 and n.subject_kind = 'Task' and n.subject_id = $2 and n.mailed_at is not null
     order by n.mailed_at desc limit 1`,
    [userId, taskId],
  );
  return rows[0];
}

/**
 * Claims the unmailed notices about a task for a reader. Returns their ids in ascending order. No later call returns
 * them again.
 */
export async function claimUnmailed(tx: Tx, { taskId, userId }: TaskReader): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `update svc.notices set mailed_at = now()
     where user_id = $1 and subject_kind = 'Task' and subject_id = $2 and mailed_at is null returning id`,
    [userId, taskId],
  );
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

/** Serializes notices about a subject until the transaction ends, so that the caller can check for earlier notices. */
export async function lockSubject(tx: Tx, { kind, id }: SubjectKey): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('svc.notices ' || $1), $2)", [kind, id ?? 0]);
}

/** Deletes notices older than `keepDays` days, at most `limit` per call. Returns the number of deleted notices. */
export async function dropOldNotices(executor: Executor, keepDays: number, limit: number): Promise<number> {
  const { rowCount } = await executor.query(
    `delete from svc.notices where id in (
       select id from svc.notices where created_time < now() - $1 * interval '1 day' order by created_time limit $2)`,
    [keepDays, limit],
  );
  return rowCount ?? 0;
}
