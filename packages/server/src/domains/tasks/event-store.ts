import type { TaskEventKind } from '@svc/contract';
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
};

export type NewTaskEvent = {
  readonly taskId: number;
  readonly kind: TaskEventKind;
  /** Null: the service by itself, or a caller without a record. */
  readonly userId: number | null;
  readonly content?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** Adds to the history of a task; returns the entry's id. */
export async function insertEvent(tx: Tx, event: NewTaskEvent): Promise<number> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'tasks-insert-event',
    text: `insert into svc.task_events (task_id, kind, user_id, content, detail) values ($1, $2, $3, $4, $5) returning id`,
    values: [
      event.taskId,
      event.kind,
      event.userId,
      event.content ?? null,
      JSON.stringify(event.detail ?? {}),
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
  taskId: number,
  kind: TaskEventKind | null,
  page: PageRequest,
): Promise<{ rows: TaskEventRow[]; totalCount: number }> {
  const values = [taskId, kind];
  const { rows: counted } = await executor.query<{ count: number }>(
    'select count(*) as count from svc.task_events e where e.task_id = $1 and ($2::text is null or e.kind = $2)',
    values,
  );
  const { rows } = await executor.query<TaskEventRow>(
    `select e.id, e.kind, e.created_time as "createdTime", coalesce(u.display_name, u.user_name) as "userName",
       e.content, e.detail
     from svc.task_events e left join svc.users u on u.id = e.user_id
     where e.task_id = $1 and ($2::text is null or e.kind = $2)
     order by ${orderBy(page)} limit $3 offset $4`,
    [...values, page.limit, page.offset],
  );
  return { rows, totalCount: counted[0]?.count ?? 0 };
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
