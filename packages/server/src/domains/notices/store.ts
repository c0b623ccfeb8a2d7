import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';

export type NoticeKind = 'RunFailed' | 'RunMissed' | 'SubscriptionStopped' | 'RecipientGone';

export type NewNotice = {
  readonly userId: number;
  readonly kind: NoticeKind;
  readonly subscriptionId: number;
  readonly runId: number | null;
  readonly facts: Readonly<Record<string, unknown>>;
};

/** A notice as it is stored, with the names that it is told with. */
export type NoticeRow = Omit<NewNotice, 'userId'> & {
  readonly id: number;
  readonly queryName: string;
  readonly projectId: number;
  readonly createdTime: Date;
  readonly readAt: Date | null;
};

const columns = `n.id, n.kind, n.subscription_id as "subscriptionId", n.run_id as "runId", n.facts,
  q.name as "queryName", q.project_id as "projectId", n.created_time as "createdTime", n.read_at as "readAt"`;
const joined = `svc.notices n join svc.subscriptions s on s.id = n.subscription_id join svc.queries q on q.id = s.query_id`;

export async function insertNotice(tx: Tx, notice: NewNotice): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.notices (user_id, kind, subscription_id, run_id, facts) values ($1, $2, $3, $4, $5) returning id`,
    [notice.userId, notice.kind, notice.subscriptionId, notice.runId, JSON.stringify(notice.facts)],
  );
  const [row] = rows;
  if (!row) throw new Error('One notice was inserted without an id.');
  return row.id;
}

/** Notices of a user about the given projects (null: all), newest first. */
export async function listNotices(
  executor: Executor,
  userId: number,
  projectIds: readonly number[] | null,
  filter: { readonly isUnread?: boolean | undefined },
  page: PageRequest,
): Promise<{ rows: NoticeRow[]; totalCount: number; unreadCount: number }> {
  const visible = `n.user_id = $1 and ($2::int[] is null or q.project_id = any($2::int[]))`;
  const wanted = `($3::boolean is null or (n.read_at is null) = $3)`;
  const values = [userId, projectIds, filter.isUnread ?? null];
  const { rows: counted } = await executor.query<{ totalCount: number; unreadCount: number }>(
    `select count(*) filter (where ${wanted}) as "totalCount", count(*) filter (where n.read_at is null) as "unreadCount"
     from ${joined} where ${visible}`,
    values,
  );
  const { rows } = await executor.query<NoticeRow>(
    `select ${columns} from ${joined} where ${visible} and ${wanted} order by ${orderBy(page)} limit $4 offset $5`,
    [...values, page.limit, page.offset],
  );
  const { totalCount = 0, unreadCount = 0 } = counted[0] ?? {};
  return { rows, totalCount, unreadCount };
}

/** Marks notices of a user as read; all of them without an id. Returns how many there were. */
export async function markRead(executor: Executor, userId: number, id?: number): Promise<number> {
  const { rowCount } = await executor.query(
    `update svc.notices set read_at = coalesce(read_at, now())
     where user_id = $1 and case when $2::bigint is null then read_at is null else id = $2 end`,
    [userId, id ?? null],
  );
  return rowCount ?? 0;
}

/** A notice with the address of the user whom it is for; undefined when that user can no longer sign in. */
export async function findForMail(
  executor: Executor,
  id: number,
): Promise<(NoticeRow & { email: string | null }) | undefined> {
  const { rows } = await executor.query<NoticeRow & { email: string | null }>(
    `select ${columns}, u.email from ${joined} join svc.users u on u.id = n.user_id
     where n.id = $1 and u.is_enabled and u.archived_at is null`,
    [id],
  );
  return rows[0];
}
