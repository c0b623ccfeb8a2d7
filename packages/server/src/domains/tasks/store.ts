import type { TaskAssignee, TaskListState, TaskPriority, TaskResolution, TaskState } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';
import type { ReplacedLink } from '../run-history/index.ts';

export type TaskRow = {
  id: number;
  subscriptionId: number | null;
  contractId: number | null;
  queryId: number | null;
  name: string;
  projectId: number;
  projectName: string;
  state: TaskState;
  priority: TaskPriority;
  assigneeUserId: number | null;
  assigneeName: string | null;
  latestCount: number;
  latestAt: Date;
  createdTime: Date;
  dueAt: Date | null;
  isOverdue: boolean;
  snoozedUntil: Date | null;
  resolvedAt: Date | null;
  resolvedByName: string | null;
  resolution: TaskResolution | null;
  version: number;
};

/** Task with the fields that only its page shows. */
export type TaskDetailRow = TaskRow & {
  notes: string | null;
  slaHours: number | null;
  ownerUserId: number | null;
  ownerName: string | null;
  previousTaskId: number | null;
  watcherCount: number;
  isWatching: boolean;
  commentCount: number;
};

export type TaskFilter = {
  readonly state: TaskListState;
  readonly search?: string | undefined;
  readonly projectId?: number | undefined;
  readonly subscriptionId?: number | undefined;
  readonly contractId?: number | undefined;
  readonly queryId?: number | undefined;
  readonly assignee?: TaskAssignee | undefined;
  readonly priority?: TaskPriority | undefined;
  readonly isOverdue?: boolean | undefined;
  readonly exceptId?: number | undefined;
};

/** Readable projects (null: all) and user of a caller. */
export type TaskView = { readonly projectIds: readonly number[] | null; readonly userId: number | null };

const name = 'coalesce(q.name, c.name, t.title)';
/** Sort names of the list. The most urgent priority comes first. */
export const sortable = {
  createdTime: 't.created_time',
  latestAt: 't.latest_at',
  name: `${name} collate "C"`,
  priority: `array_position(array['Critical', 'High', 'Normal', 'Low'], t.priority)`,
  dueAt: 't.due_at',
  latestResultCount: 't.latest_count',
  resolvedAt: 't.resolved_at',
  state: 't.state collate "C"',
  id: 't.id',
} as const;

const isOpen = sql<boolean>`t.state = 'Open'`;
const isSnoozed = sql<boolean>`(t.snoozed_until is not null and t.snoozed_until > now())`;
const isOverdue = sql<boolean>`(t.state = 'Open' and t.due_at is not null and t.due_at <= now())`;

const inState: Readonly<Record<TaskListState, RawBuilder<boolean>>> = {
  Open: sql<boolean>`${isOpen} and not ${isSnoozed}`,
  Snoozed: sql<boolean>`${isOpen} and ${isSnoozed}`,
  Resolved: sql<boolean>`t.state = 'Resolved'`,
  All: sql<boolean>`true`,
};

const assignedTo = (assignee: TaskAssignee, userId: number | null): RawBuilder<boolean> => {
  if (assignee === 'Me') return sql<boolean>`t.assignee_user_id = ${userId}::int`;
  return assignee === 'Nobody'
    ? sql<boolean>`t.assignee_user_id is null`
    : sql<boolean>`t.assignee_user_id is not null`;
};

const tasks = (executor: Executor) =>
  executor.kysely
    .selectFrom('svc.tasks as t')
    .innerJoin('svc.projects as p', 'p.id', 't.project_id')
    .leftJoin('svc.subscriptions as s', 's.id', 't.subscription_id')
    .leftJoin('svc.queries as q', 'q.id', 's.query_id')
    .leftJoin('svc.data_contracts as c', 'c.id', 't.contract_id')
    .leftJoin('svc.users as a', 'a.id', 't.assignee_user_id')
    .leftJoin('svc.users as r', 'r.id', 't.resolved_by_user_id');

const columns = [
  't.id',
  't.subscription_id as subscriptionId',
  't.contract_id as contractId',
  's.query_id as queryId',
  sql<string>`${sql.raw(name)}`.as('name'),
  't.project_id as projectId',
  'p.name as projectName',
  sql<TaskState>`t.state`.as('state'),
  sql<TaskPriority>`t.priority`.as('priority'),
  't.assignee_user_id as assigneeUserId',
  sql<string | null>`coalesce(a.display_name, a.user_name)`.as('assigneeName'),
  't.latest_count as latestCount',
  't.latest_at as latestAt',
  't.created_time as createdTime',
  't.due_at as dueAt',
  isOverdue.as('isOverdue'),
  sql<Date | null>`case when t.snoozed_until > now() then t.snoozed_until end`.as('snoozedUntil'),
  't.resolved_at as resolvedAt',
  sql<string | null>`coalesce(r.display_name, r.user_name)`.as('resolvedByName'),
  sql<TaskResolution | null>`t.resolution`.as('resolution'),
  't.version',
] as const;

const matching = (executor: Executor, view: TaskView, filter: TaskFilter) => {
  let query = tasks(executor).where(inState[filter.state]);
  if (view.projectIds !== null)
    query = query.where(sql<boolean>`t.project_id = any(${view.projectIds}::int[])`);
  if (filter.projectId !== undefined) query = query.where('t.project_id', '=', filter.projectId);
  if (filter.subscriptionId !== undefined)
    query = query.where('t.subscription_id', '=', filter.subscriptionId);
  if (filter.contractId !== undefined) query = query.where('t.contract_id', '=', filter.contractId);
  if (filter.queryId !== undefined) query = query.where('s.query_id', '=', filter.queryId);
  if (filter.priority) query = query.where('t.priority', '=', filter.priority);
  if (filter.assignee) query = query.where(assignedTo(filter.assignee, view.userId));
  if (filter.exceptId !== undefined) query = query.where('t.id', '<>', filter.exceptId);
  if (filter.isOverdue !== undefined)
    query = query.where(filter.isOverdue ? isOverdue : sql<boolean>`not ${isOverdue}`);
  if (filter.search)
    query = query.where(sql<boolean>`position(lower(${filter.search}) in lower(${sql.raw(name)})) > 0`);
  return query;
};

/** Returns one page of the tasks that a caller may see. */
export async function listTasks(
  executor: Executor,
  view: TaskView,
  filter: TaskFilter,
  page: PageRequest,
): Promise<{ rows: TaskRow[]; totalCount: number }> {
  const query = matching(executor, view, filter);
  const { count } = await query.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  const rows = await query
    .select(columns)
    .orderBy(sql.raw(orderBy(page)))
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { rows, totalCount: count };
}

/** Finds a task with the fields of its page, for a user. */
export async function findTask(
  executor: Executor,
  id: number,
  userId: number | null,
): Promise<TaskDetailRow | undefined> {
  return tasks(executor)
    .leftJoin('svc.users as o', (join) =>
      join.on(sql<boolean>`o.id = coalesce(s.owner_user_id, c.owner_user_id)`),
    )
    .select(columns)
    .select([
      't.notes',
      sql<number | null>`coalesce(s.sla_hours, c.sla_hours)`.as('slaHours'),
      sql<number | null>`coalesce(s.owner_user_id, c.owner_user_id)`.as('ownerUserId'),
      sql<string | null>`coalesce(o.display_name, o.user_name)`.as('ownerName'),
      't.previous_task_id as previousTaskId',
      sql<number>`(select count(*) from svc.task_watchers w where w.task_id = t.id)`.as('watcherCount'),
      sql<boolean>`exists (select from svc.task_watchers w where w.task_id = t.id and w.user_id = ${userId}::int)`.as(
        'isWatching',
      ),
      sql<number>`(select count(*) from svc.task_events e where e.task_id = t.id and e.kind = 'Commented')`.as(
        'commentCount',
      ),
    ])
    .where('t.id', '=', id)
    .executeTakeFirst();
}

/** Returns the last `limit` row counts of the visible runs of a chain of subscriptions, oldest first. */
export async function listCounts(
  executor: Executor,
  visible: RawBuilder<boolean>,
  chain: readonly ReplacedLink[],
  limit: number,
): Promise<{ notificationId: number; sampledAt: Date; resultCount: number }[]> {
  const ids = chain.map(({ subscriptionId }) => subscriptionId);
  const replacedAt = chain.map((link) => link.replacedAt);
  // One subquery for each subscription, because each reads the newest rows of an index.
  const { rows } = await sql<{ notificationId: number; sampledAt: Date; resultCount: number }>`
    select n.id as "notificationId", n.due_at as "sampledAt", n.result_count as "resultCount"
    from unnest(${ids}::int[], ${replacedAt}::timestamptz[]) as link (subscription_id, replaced_at)
    cross join lateral (
      select r.id, r.due_at, r.result_count from svc.runs r
      where r.subscription_id = link.subscription_id and r.due_at < coalesce(link.replaced_at, 'infinity')
        and r.result_count is not null and r.status <> 'Created' and ${visible}
      order by r.due_at desc, r.id desc limit ${limit}) n
    order by n.due_at desc, n.id desc limit ${limit}`.execute(executor.kysely);
  return rows.toReversed();
}
