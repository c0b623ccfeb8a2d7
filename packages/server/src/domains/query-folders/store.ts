import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';

export type FolderRow = {
  readonly id: number;
  readonly projectId: number;
  readonly projectName: string;
  readonly parentId: number | null;
  readonly name: string;
  /** Names on the path from the topmost folder to this one. */
  readonly names: readonly string[];
  readonly queryCount: number;
  readonly createdTime: Date;
  readonly updatedAt: Date;
  readonly version: number;
};

export const folderSortable: Sortable = {
  // Sorts name by name. In one text, "A b" would sort between "A" and the contents of "A".
  path: 'lower(n.names::text)::text[] collate "C"',
  name: 'lower(f.name) collate "C"',
  createdTime: 'f.created_time',
};

const from = `svc.query_folders f
  join svc.projects p on p.id = f.project_id and p.archived_at is null
  cross join lateral svc.query_folder_names(f.id) n (names)`;

const columns = `f.id, f.project_id as "projectId", p.name as "projectName", f.parent_id as "parentId", f.name, n.names,
  (select count(*)::int from svc.queries q join svc.query_folders_below(f.id) b on b.id = q.folder_id
    where q.archived_at is null) as "queryCount",
  f.created_time as "createdTime", f.updated_at as "updatedAt", f.version`;

/** Returns one page of the folders of the given projects; null: of all. */
export async function listFolders(
  executor: Executor,
  projectIds: readonly number[] | null,
  filter: { readonly search: string | null; readonly projectId: number | null },
  page: PageRequest,
): Promise<{ rows: FolderRow[]; totalCount: number }> {
  const where = `($1::int[] is null or f.project_id = any($1)) and ($2::int is null or f.project_id = $2)
    and ($3::text is null or position(lower($3) in lower(f.name)) > 0)`;
  const filterValues = [projectIds, filter.projectId, filter.search];
  const { rows } = await executor.query<FolderRow>(
    `select ${columns} from ${from} where ${where} order by ${orderBy(page)} limit $4 offset $5`,
    [...filterValues, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count from ${from} where ${where}`,
    filterValues,
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

/** Finds a folder of a live project. */
export async function findFolder(executor: Executor, id: number): Promise<FolderRow | undefined> {
  const { rows } = await executor.query<FolderRow>(`select ${columns} from ${from} where f.id = $1`, [id]);
  return rows[0];
}

/**
 * Serializes changes of a project's tree until the transaction ends. If two moves together would create a cycle, the
 * second sees the first.
 */
export async function lockTree(tx: Tx, projectId: number): Promise<void> {
  await tx.query('select from svc.projects where id = $1 for no key update', [projectId]);
}

/** Returns the folder and its descendants, with the number of levels down to each. */
export async function foldersBelow(
  tx: Tx,
  id: number,
): Promise<readonly { readonly id: number; readonly steps: number }[]> {
  const { rows } = await tx.query<{ id: number; steps: number }>(
    'select b.id, b.steps from svc.query_folders_below($1) b',
    [id],
  );
  return rows;
}

export async function insertFolder(
  tx: Tx,
  folder: { projectId: number; parentId: number | null; name: string; userId: number | null },
): Promise<number> {
  const { id } = await tx.kysely
    .insertInto('svc.query_folders')
    .values({
      project_id: folder.projectId,
      parent_id: folder.parentId,
      name: folder.name,
      created_by_user_id: folder.userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateFolder(
  tx: Tx,
  id: number,
  { parentId, name }: { parentId: number | null; name: string },
): Promise<void> {
  await tx.query(
    `update svc.query_folders set parent_id = $2, name = $3, updated_at = now(), version = version + 1 where id = $1`,
    [id, parentId, name],
  );
}

/** Waits for queries that other transactions add to the folder, and blocks further additions. */
export async function lockFolder(tx: Tx, id: number): Promise<void> {
  await tx.query('select from svc.query_folders where id = $1 for update', [id]);
}

/** Returns true if the folder contains no folder and no live query. */
export async function isEmptyFolder(tx: Tx, id: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from svc.query_folders where parent_id = $1
     union all select from svc.queries where folder_id = $1 and archived_at is null limit 1`,
    [id],
  );
  return rowCount === 0;
}

/** Moves the contents of a folder before its deletion, including archived queries. @returns the moved live queries. */
export async function moveContents(tx: Tx, id: number, parentId: number | null): Promise<readonly number[]> {
  // A subfolder may have the same name. The temporary name frees it before the move.
  await tx.query('update svc.query_folders set name = gen_random_uuid()::text where id = $1', [id]);
  await tx.query(
    `update svc.query_folders set parent_id = $2, updated_at = now(), version = version + 1 where parent_id = $1`,
    [id, parentId],
  );
  const { rows } = await tx.query<{ id: number; isLive: boolean }>(
    `update svc.queries set folder_id = $2, version = version + 1 where folder_id = $1
     returning id, archived_at is null as "isLive"`,
    [id, parentId],
  );
  return rows.filter((row) => row.isLive).map((row) => row.id);
}

export async function deleteFolder(tx: Tx, id: number): Promise<void> {
  await tx.query('delete from svc.query_folders where id = $1', [id]);
}

export async function setFolderOfQuery(tx: Tx, queryId: number, folderId: number | null): Promise<void> {
  await tx.query('update svc.queries set folder_id = $2, version = version + 1 where id = $1', [
    queryId,
    folderId,
  ]);
}

type Place = { readonly id: number; readonly projectId: number; readonly folderId: number | null };

const places = `select q.id, q.project_id as "projectId", q.folder_id as "folderId" from svc.queries q
  join svc.projects p on p.id = q.project_id and p.archived_at is null
 where q.archived_at is null and q.id = any($1::int[])`;

/** Returns the folders of live queries in live projects. */
export async function findPlaces(executor: Executor, ids: readonly number[]): Promise<readonly Place[]> {
  return (await executor.query<Place>(`${places} order by q.id`, [ids])).rows;
}

/** Returns the folders of live queries in one project. Locks the queries until the transaction ends. */
export async function lockPlaces(
  tx: Tx,
  projectId: number,
  ids: readonly number[],
): Promise<readonly Place[]> {
  const statement = `${places} and q.project_id = $2 order by q.id for update of q`;
  return (await tx.query<Place>(statement, [ids, projectId])).rows;
}

export async function setFolderOfQueries(
  tx: Tx,
  ids: readonly number[],
  folderId: number | null,
): Promise<void> {
  await tx.query('update svc.queries set folder_id = $2, version = version + 1 where id = any($1::int[])', [
    ids,
    folderId,
  ]);
}
