import type { NoticeKind } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';
import { standInFact } from './stand-in.ts';

/** What there is to tell, whoever is told. */
export type NewNotice = {
  readonly kind: NoticeKind;
  readonly subscriptionId: number;
  readonly runId: number | null;
  readonly facts: Readonly<Record<string, unknown>>;
};

/** A notice as it is stored, with the names that it is told with. */
export type NoticeRow = NewNotice & {
  readonly id: number;
  readonly queryName: string;
  readonly projectId: number;
  readonly createdTime: Date;
  readonly readAt: Date | null;
};

const columns = `n.id, n.kind, n.subscription_id as "subscriptionId", n.run_id as "runId", n.facts,
  q.name as "queryName", q.project_id as "projectId", n.created_time as "createdTime", n.read_at as "readAt"`;
const joined = `svc.notices n join svc.subscriptions s on s.id = n.subscription_id join svc.queries q on q.id = s.query_id`;

/**
 * Which notices somebody sees, `n` of query `q`: their own, about projects that they can read. The one rule for the
 * list and for the mail, with a user ($1) and the ids of readable projects ($2; null: every one) as its parameters.
 */
const isVisible = `n.user_id = $1 and ($2::int[] is null or q.project_id = any($2::int[]))`;

/**
 * Stores a notice for each of the users but those who have one that says the same.
 *
 * @param knows  Who is left out: nobody, whoever has been told of this very thing, or whoever was among those told last.
 * @returns the ids of the notices that were made.
 */
export async function insertNotices(
  tx: Tx,
  userIds: readonly number[],
  notice: NewNotice,
  knows: 'nobody' | 'of this' | 'the last',
): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'notices-insert',
    text: `insert into svc.notices (user_id, kind, subscription_id, run_id, facts)
      select u.id, $2, $3, $4, $5::jsonb from unnest($1::int[]) as u (id)
      where not exists (select from svc.notices n
        where n.user_id = u.id and n.subscription_id = $3 and n.kind = $2
          and case $6
            when 'of this' then n.run_id is not distinct from $4 and n.facts - '${standInFact}' = $5::jsonb - '${standInFact}'
            when 'the last' then n.run_id >= (select l.run_id from svc.notices l
              where l.subscription_id = $3 and l.kind = $2 order by l.id desc limit 1)
            else false end)
      returning id`,
    values: [userIds, notice.kind, notice.subscriptionId, notice.runId, JSON.stringify(notice.facts), knows],
  });
  return rows.map(({ id }) => id);
}

/** Notices of a user about the given projects (null: all), newest first. */
export async function listNotices(
  executor: Executor,
  userId: number,
  projectIds: readonly number[] | null,
  filter: { readonly isUnread?: boolean | undefined },
  page: PageRequest,
): Promise<{ rows: NoticeRow[]; totalCount: number; unreadCount: number }> {
  const wanted = `($3::boolean is null or (n.read_at is null) = $3)`;
  const values = [userId, projectIds, filter.isUnread ?? null];
  const { rows: counted } = await executor.query<{ totalCount: number; unreadCount: number }>(
    `select count(*) filter (where ${wanted}) as "totalCount", count(*) filter (where n.read_at is null) as "unreadCount"
     from ${joined} where ${isVisible}`,
    values,
  );
  const { rows } = await executor.query<NoticeRow>(
    `select ${columns} from ${joined} where ${isVisible} and ${wanted} order by ${orderBy(page)} limit $4 offset $5`,
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

/** A notice whoever may see it, and whom it is for. */
export async function findNotice(
  executor: Executor,
  id: number,
): Promise<(NewNotice & { userId: number }) | undefined> {
  const { rows } = await executor.query<NewNotice & { userId: number }>(
    `select n.user_id as "userId", n.kind, n.subscription_id as "subscriptionId", n.run_id as "runId", n.facts
     from svc.notices n where n.id = $1`,
    [id],
  );
  return rows[0];
}

/** A notice of a user about one of the given projects (null: all): what the list would show of it. */
export async function findVisibleNotice(
  executor: Executor,
  userId: number,
  projectIds: readonly number[] | null,
  id: number,
): Promise<NoticeRow | undefined> {
  const { rows } = await executor.query<NoticeRow>(
    `select ${columns} from ${joined} where ${isVisible} and n.id = $3`,
    [userId, projectIds, id],
  );
  return rows[0];
}

/** Has whoever else locks a subscription wait, for those who look for what others told before they tell it. */
export async function lockSubscription(tx: Tx, id: number): Promise<void> {
  await tx.query('select from svc.subscriptions where id = $1 for no key update', [id]);
}

/** Where a subscription stands and whose it is. */
export async function findSubject(
  executor: Executor,
  subscriptionId: number,
): Promise<{ ownerUserId: number | null; projectId: number } | undefined> {
  const { rows } = await executor.query<{ ownerUserId: number | null; projectId: number }>({
    name: 'notices-find-subject',
    text: `select s.owner_user_id as "ownerUserId", q.project_id as "projectId"
      from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1`,
    values: [subscriptionId],
  });
  return rows[0];
}
