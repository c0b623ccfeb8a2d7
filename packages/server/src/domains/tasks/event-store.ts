import type { TaskEventKind } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';

export type TaskEventRow = {
  readonly id: number;
  readonly kind: TaskEventKind;
  readonly createdTime: Date;
  readonly userName: string | null;
  readonly content: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Null without a run, and when the caller may not see the run. */
  readonly runId: number | null;
};

export type NewTaskEvent = {
  readonly taskId: number;
  readonly kind: TaskEventKind;
  /** Null: the service itself, or a caller without a stored user. */
  readonly userId: number | null;
  readonly runId?: number;
  readonly content?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** Adds an event to the history of a task. Returns its id. */
export async function insertEvent(tx: Tx, event: NewTaskEvent): Promise<number> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'tasks-insert-event',
    text: `insert into svc.task_events (task_id, kind, user_id, content, detail, run_id) values ($1, $2, $3, $4, $5, $6) returning id`,
    values: [
      event.taskId,
      event.kind,
      event.userId,
      event.content ?? null,
      JSON.stringify(event.detail ?? {}),
      event.runId ?? null,
    ],
  });
  const [row] = rows;
  if (!row) throw new Error('One event was inserted without an id.');
  return row.id;
}

export const eventSortable = { createdTime: 'e.created_time', id: 'e.id' } as const;

/** Returns one page of the history of a task. With `kind`, only events of this kind. */
export async function listEvents(
  executor: Executor,
  {
    taskId,
    kind,
    visibleRuns,
  }: {
    readonly taskId: number;
    readonly kind: TaskEventKind | null;
    /** Condition on `svc.runs` as `r`. */
    readonly visibleRuns: RawBuilder<boolean>;
  },
  page: PageRequest,
): Promise<{ rows: TaskEventRow[]; totalCount: number }> {
  const ofTask = sql`e.task_id = ${taskId} and (${kind}::text is null or e.kind = ${kind})`;
  const counted = await sql<{ count: number }>`
    select count(*) as count from svc.task_events e where ${ofTask}`.execute(executor.kysely);
  const { rows } = await sql<TaskEventRow>`
    select e.id, e.kind, e.created_time as "createdTime", coalesce(u.display_name, u.user_name) as "userName",
      e.content, e.detail, (select r.id from svc.runs r where r.id = e.run_id and ${visibleRuns}) as "runId"
    from svc.task_events e left join svc.users u on u.id = e.user_id
    where ${ofTask} order by ${sql.raw(orderBy(page))} limit ${page.limit}::int offset ${page.offset}::bigint`.execute(
    executor.kysely,
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

/** Starts or stops watching a task. Does nothing if the state is the same. */
export async function setWatching(
  tx: Tx,
  taskId: number,
  userId: number,
  isWatching: boolean,
): Promise<void> {
  await tx.query(
    isWatching
      ? 'insert into svc.task_watchers (task_id, user_id) values ($1, $2) on conflict do nothing'
      : 'delete from svc.task_watchers where task_id = $1 and user_id = $2',
    [taskId, userId],
  );
}

/** Returns the users who are notified about a task: its assignee and its watchers. */
export async function findFollowers(tx: Tx, taskId: number): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'tasks-find-followers',
    text: `select t.assignee_user_id as id from svc.tasks t where t.id = $1 and t.assignee_user_id is not null
      union select w.user_id from svc.task_watchers w where w.task_id = $1 order by id`,
    values: [taskId],
  });
  return rows.map(({ id }) => id);
}
