import type { TaskPriority, TaskState } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import { replacedChain } from '../run-history/index.ts';
import type { TaskSubject } from './following/subject.ts';

/** Fields of a task that a change needs. The row is locked until the transaction ends. */
export type LockedTask = {
  readonly id: number;
  readonly subscriptionId: number | null;
  readonly projectId: number;
  readonly state: TaskState;
  readonly priority: TaskPriority;
  readonly assigneeUserId: number | null;
  readonly dueAt: Date | null;
  readonly overdueToldAt: Date | null;
  readonly snoozedUntil: Date | null;
  readonly snoozedCount: number | null;
  readonly latestCount: number;
  readonly slaHours: number | null;
  readonly version: number;
  /** Time of the database, like all times of a task. */
  readonly now: Date;
};

/** SLA hours of the subject of a task `t`. */
const slaHours = `select s.sla_hours from svc.subscriptions s where s.id = t.subscription_id
  union all select c.sla_hours from svc.data_contracts c where c.id = t.contract_id`;
const lockedColumns = `t.id, t.subscription_id as "subscriptionId", t.project_id as "projectId", t.state, t.priority,
  t.assignee_user_id as "assigneeUserId", t.due_at as "dueAt", t.overdue_told_at as "overdueToldAt",
  t.snoozed_until as "snoozedUntil", t.snoozed_count as "snoozedCount", t.latest_count as "latestCount",
  (${slaHours}) as "slaHours", t.version, clock_timestamp() as now`;

/** Locks a task for a change. Other transactions can still add rows that refer to it. */
export async function lockTask(tx: Tx, id: number): Promise<LockedTask | undefined> {
  const { rows } = await tx.query<LockedTask>({
    name: 'tasks-lock',
    text: `select ${lockedColumns} from svc.tasks t where t.id = $1 for no key update of t`,
    values: [id],
  });
  return rows[0];
}

const columnOf = { Subscription: 'subscription_id', Contract: 'contract_id' } as const;

/** Locks the open task about a subject. */
export async function lockOpenTask(tx: Tx, { kind, id }: TaskSubject): Promise<LockedTask | undefined> {
  const { rows } = await tx.query<LockedTask>({
    name: `tasks-lock-open-${kind}`,
    text: `select ${lockedColumns} from svc.tasks t where t.${columnOf[kind]} = $1 and t.state = 'Open' for no key update of t`,
    values: [id],
  });
  return rows[0];
}

/** Returns the task settings of a run's subscription. Undefined when it has no open task and opens none. */
export async function findTaskRules(
  tx: Tx,
  subscriptionId: number,
): Promise<{ readonly createTasks: boolean; readonly minimumRowCount: number | null } | undefined> {
  const { rows } = await tx.query<{ createTasks: boolean; minimumRowCount: number | null }>({
    name: 'tasks-find-rules',
    text: `select s.create_tasks as "createTasks", s.minimum_row_count as "minimumRowCount" from svc.subscriptions s
      where s.id = $1 and (s.create_tasks
        or exists (select from svc.tasks t where t.subscription_id = s.id and t.state = 'Open'))`,
    values: [subscriptionId],
  });
  return rows[0];
}

/** Returns true if a later run of the subscription has a result already. The earlier run is outdated then. */
export async function hasLaterRun(tx: Tx, subscriptionId: number, dueAt: Date): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'tasks-has-later-run',
    text: `select from svc.runs r where r.subscription_id = $1 and r.due_at > $2 and r.result_count is not null
      and r.status <> 'Created' limit 1`,
    values: [subscriptionId, dueAt],
  });
  return rowCount === 1;
}

/** Fields that a new task copies from its subject, by kind. */
const subjectSql = {
  Subscription: `select s.id, q.project_id, null::text as title, s.sla_hours
    from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1`,
  Contract:
    'select c.id, c.project_id, c.name as title, c.sla_hours from svc.data_contracts c where c.id = $1',
} as const;

/**
 * Last task of a subject, by kind. A replaced subscription has resolved tasks, which belong to its replacement if they
 * were opened before it.
 */
const previousSql = {
  Subscription: `(with recursive ${replacedChain('s.id')}
      select max(t.id) from chain c join svc.tasks t on t.subscription_id = c.id
        and (c.replaced_at is null or t.created_time < c.replaced_at))`,
  Contract: '(select max(t.id) from svc.tasks t where t.contract_id = s.id)',
} as const;

/** Opens a task with a link to the previous one. Returns undefined when a task is open already. */
export async function insertTask(
  tx: Tx,
  { kind, id }: TaskSubject,
  latestCount: number,
): Promise<{ readonly id: number; readonly projectId: number; readonly dueAt: Date | null } | undefined> {
  const { rows } = await tx.query<{ id: number; projectId: number; dueAt: Date | null }>({
    name: `tasks-insert-${kind}`,
    text: `insert into svc.tasks (${columnOf[kind]}, project_id, title, due_at, latest_count, previous_task_id)
      select s.id, s.project_id, s.title, date_trunc('milliseconds', now() + s.sla_hours * interval '1 hour'), $2,
        ${previousSql[kind]}
      from (${subjectSql[kind]}) s
      on conflict (${columnOf[kind]}) where state = 'Open' and ${columnOf[kind]} is not null do nothing
      returning id, project_id as "projectId", due_at as "dueAt"`,
    values: [id, latestCount],
  });
  return rows[0];
}

/** Stores the count of a run. The version does not change, because no user made a change. */
export async function setLatestCount(tx: Tx, id: number, latestCount: number): Promise<void> {
  await tx.query({
    name: 'tasks-set-count',
    text: 'update svc.tasks set latest_count = $2, latest_at = now() where id = $1',
    values: [id, latestCount],
  });
}

export async function resolve(
  tx: Tx,
  id: number,
  resolution: 'Automatic' | 'Manual',
  by: { readonly userId: number | null; readonly notes: string | null },
): Promise<void> {
  await tx.query(
    `update svc.tasks set state = 'Resolved', resolved_at = now(), resolution = $2, resolved_by_user_id = $3, notes = $4,
       snoozed_until = null, snoozed_count = null, version = version + 1 where id = $1`,
    [id, resolution, by.userId, by.notes],
  );
}

/** Reopens a task with the full time that its subject gives. Returns the due time. */
export async function reopen(tx: Tx, id: number): Promise<Date | null> {
  const { rows } = await tx.query<{ dueAt: Date | null }>(
    `update svc.tasks t set state = 'Open', resolved_at = null, resolution = null, resolved_by_user_id = null, notes = null,
       overdue_told_at = null, version = version + 1, due_at = (
         select date_trunc('milliseconds', now() + p.sla_hours * interval '1 hour') from (${slaHours}) p)
     where id = $1 returning due_at as "dueAt"`,
    [id],
  );
  return rows[0]?.dueAt ?? null;
}

export async function setAssignee(tx: Tx, id: number, userId: number | null): Promise<void> {
  await tx.query('update svc.tasks set assignee_user_id = $2, version = version + 1 where id = $1', [
    id,
    userId,
  ]);
}

export async function setPriority(tx: Tx, id: number, priority: TaskPriority): Promise<void> {
  await tx.query('update svc.tasks set priority = $2, version = version + 1 where id = $1', [id, priority]);
}

/** Snoozes a task with its current count; null wakes it. */
export async function setSnooze(tx: Tx, id: number, until: Date | null): Promise<void> {
  await tx.query(
    `update svc.tasks set snoozed_until = $2::timestamptz,
       snoozed_count = case when $2::timestamptz is null then null else latest_count end, version = version + 1
     where id = $1`,
    [id, until],
  );
}

export async function setOverdueNotified(tx: Tx, id: number): Promise<void> {
  await tx.query('update svc.tasks set overdue_told_at = now() where id = $1', [id]);
}

/** Moves the open task of a subscription to its replacement. */
export async function moveOpenTask(
  tx: Tx,
  fromSubscriptionId: number,
  toSubscriptionId: number,
): Promise<void> {
  await tx.query(
    `update svc.tasks set subscription_id = $2, version = version + 1 where subscription_id = $1 and state = 'Open'`,
    [fromSubscriptionId, toSubscriptionId],
  );
}
