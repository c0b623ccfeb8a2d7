import type { TaskEventKind } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';

/** What happened to a task. */
export type TaskEventRow = {
  readonly id: number;
  readonly kind: TaskEventKind;
  readonly createdTime: Date;
  readonly userName: string | null;
  readonly content: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Null also where the caller does not see the run. */
  readonly runId: number | null;
};

export type NewTaskEvent = {
  readonly taskId: number;
  readonly kind: TaskEventKind;
  /** Null: the service by itself, or a caller without a record. */
  readonly userId: number | null;
  readonly runId?: number;
  readonly content?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** Adds to the history of a task; returns the entry's id. */
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

/** One page of the history of a task; of its comments alone with `kind`. */
export async function listEvents(
  executor: Executor,
  {
    taskId,
    kind,
    visibleRuns,
  }: {
    readonly taskId: number;
    readonly kind: TaskEventKind | null;
    /** A condition on `svc.runs` as `r`. */
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

/** Has a user told of a task, or no longer; nothing changes where it is so already. */
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

/** Whom a task is told to: its assignee and its watchers. */
export async function findFollowers(tx: Tx, taskId: number): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'tasks-find-followers',
    text: `select t.assignee_user_id as id from svc.tasks t where t.id = $1 and t.assignee_user_id is not null
      union select w.user_id from svc.task_watchers w where w.task_id = $1 order by id`,
    values: [taskId],
  });
  return rows.map(({ id }) => id);
}
