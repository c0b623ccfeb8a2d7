import type { Executor, Tx } from '../../platform/db/index.ts';

export type ViewRow = {
  readonly id: number;
  readonly list: string;
  readonly name: string;
  readonly search: string;
  readonly createdTime: Date;
};

const columns = `id, list, name, search, created_time as "createdTime"`;

/** Returns a user's views of a list, by name. */
export async function listViews(executor: Executor, userId: number, list: string): Promise<ViewRow[]> {
  const { rows } = await executor.query<ViewRow>(
    `select ${columns} from svc.saved_views where user_id = $1 and list = $2 order by lower(name), id`,
    [userId, list],
  );
  return rows;
}

/** Serializes changes of one user's views, because each change counts and compares all of them. */
export async function lockViews(tx: Tx, userId: number): Promise<void> {
  await tx.query('select from svc.users where id = $1 for no key update', [userId]);
}

export async function countViews(tx: Tx, userId: number, list: string): Promise<number> {
  const { rows } = await tx.query<{ views: number }>(
    'select count(*)::int as views from svc.saved_views where user_id = $1 and list = $2',
    [userId, list],
  );
  return rows[0]?.views ?? 0;
}

/** Returns undefined when the user has a view with this name. */
export async function insertView(
  tx: Tx,
  userId: number,
  view: Pick<ViewRow, 'list' | 'name' | 'search'>,
): Promise<ViewRow | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `insert into svc.saved_views (user_id, list, name, search) values ($1, $2, $3, $4)
     on conflict do nothing returning ${columns}`,
    [userId, view.list, view.name, view.search],
  );
  return rows[0];
}

/** Finds a view of the user; undefined when it is missing or belongs to another user. */
export async function findView(tx: Tx, userId: number, id: number): Promise<ViewRow | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `select ${columns} from svc.saved_views where user_id = $1 and id = $2`,
    [userId, id],
  );
  return rows[0];
}

/** Returns false when the user has another view with this name. */
export async function updateView(
  tx: Tx,
  userId: number,
  { id, list, name, search }: ViewRow,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.saved_views v set name = $4, search = $5 where id = $2 and not exists (
       select from svc.saved_views o
       where o.user_id = $1 and o.list = $3 and lower(o.name) = lower($4) and o.id <> $2)`,
    [userId, id, list, name, search],
  );
  return rowCount === 1;
}

/** Returns true if the user had this view. */
export async function deleteView(executor: Executor, userId: number, id: number): Promise<boolean> {
  const { rowCount } = await executor.query('delete from svc.saved_views where user_id = $1 and id = $2', [
    userId,
    id,
  ]);
  return rowCount === 1;
}
