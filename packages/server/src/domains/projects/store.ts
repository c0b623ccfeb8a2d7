import type { AccessMode } from '@svc/contract';
import { sql } from 'kysely';
import { type Executor, named, type Tx, timesAsText } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import type { Reach } from './access.ts';
import { reachValues, readability, readableProjects, shapeOf } from './readable.ts';

export type ProjectListRow = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly access_mode: AccessMode;
  readonly right_level: number;
  readonly is_demo: boolean;
  readonly data_source_count: number;
  readonly query_count: number;
  readonly created_time: string;
  readonly updated_at: string;
};

export type ProjectRow = ProjectListRow & {
  readonly created_by_user_id: number | null;
  readonly version: number;
};

/** Sort names of the list, with the columns of its inner select. */
export const projectSortable: Sortable = {
  name: 'lower(name) collate "C"',
  createdTime: 'created_time',
  updatedAt: 'updated_at',
};

const listColumns = 'p.id, p.name, p.description, p.access_mode, p.is_demo, p.created_time, p.updated_at';

// Evaluated only for the rows of one page.
const counts = `
  (select count(*)::int from svc.project_data_sources l join svc.data_sources d on d.id = l.data_source_id
    where l.project_id = page.id and d.archived_at is null) as data_source_count,
  (select count(*)::int from svc.queries q where q.project_id = page.id and q.archived_at is null) as query_count`;

/** Returns one page of the projects within reach. `total` counts only the readable projects that match. */
export async function listProjects(
  executor: Executor,
  reach: Reach,
  filter: { readonly search: string | null; readonly dataSourceId: number | null },
  page: PageRequest,
): Promise<{ rows: ProjectListRow[]; total: number }> {
  const isSearch = filter.search !== null;
  const isBySource = filter.dataSourceId !== null;
  const text = pageStatement(reach, { isSearch, isBySource, order: orderBy(page) });
  const values = [
    page.limit,
    page.offset,
    ...(isSearch ? [filter.search] : []),
    ...(isBySource ? [filter.dataSourceId] : []),
    ...reachValues(reach),
  ];
  const { rows } = await executor.query<ProjectListRow & { total_count: number }>({
    ...named(text, values),
    types: timesAsText,
  });
  const [first] = rows;
  if (first || page.offset === 0) return { rows, total: first?.total_count ?? 0 };
  // After the last page, no row contains the count.
  const ahead = await listProjects(executor, reach, filter, { ...page, limit: 1, offset: 0 });
  return { rows, total: ahead.total };
}

const pageStatements = new Map<string, string>();

/**
 * Returns the statement of the list. Every page of the UI executes it, so its text is cached for each shape of reach.
 */
function pageStatement(
  reach: Reach,
  shape: { readonly isSearch: boolean; readonly isBySource: boolean; readonly order: string },
): string {
  const { isSearch, isBySource, order } = shape;
  const key = `${shapeOf(reach)} ${isSearch} ${isBySource} ${order}`;
  const cachedStatement = pageStatements.get(key);
  if (cachedStatement !== undefined) return cachedStatement;
  const { condition, levelIn } = readability(reach, 3 + Number(isSearch) + Number(isBySource));
  const matching = `svc.projects p where ${condition}
    ${isSearch ? 'and position(lower($3::text) in lower(p.name)) > 0' : ''}
    ${isBySource ? `and exists (select from svc.project_data_sources l where l.project_id = p.id and l.data_source_id = $${isSearch ? 4 : 3}::int)` : ''}`;
  const text = `select page.*, ${levelIn('page')} as right_level, ${counts},
      (select count(*) from ${matching}) as total_count
    from (select ${listColumns} from ${matching} order by ${order} limit $1::int offset $2::bigint) page
   order by ${order}`;
  pageStatements.set(key, text);
  return text;
}

/** Finds a project within reach. */
export async function findProject(
  executor: Executor,
  reach: Reach,
  id: number,
): Promise<ProjectRow | undefined> {
  const readable = readableProjects(reach, 2, [listColumns, 'p.created_by_user_id', 'p.version']);
  const text = `select page.*, ${counts} from (${readable.text}) page where page.id = $1::int`;
  const { rows } = await executor.query<ProjectRow>({
    ...named(text, [id, ...readable.values]),
    types: timesAsText,
  });
  return rows[0];
}

/**
 * Returns mode and version of a live project, without a check of rights. Locks it until the transaction ends, so that
 * changes are serialized.
 */
export async function lockProject(
  tx: Tx,
  id: number,
): Promise<{ access_mode: AccessMode; version: number } | undefined> {
  const { rows } = await tx.query<{ access_mode: AccessMode; version: number }>(
    'select access_mode, version from svc.projects where id = $1 and archived_at is null for update',
    [id],
  );
  return rows[0];
}

export async function insertProject(
  tx: Tx,
  project: { name: string; description: string | null; createdByUserId: number | null },
): Promise<number> {
  const { id } = await tx.kysely
    .insertInto('svc.projects')
    .values({
      name: project.name,
      description: project.description,
      created_by_user_id: project.createdByUserId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export type ProjectChange = {
  readonly name?: string;
  readonly description?: string | null;
  readonly accessMode?: AccessMode;
  readonly isArchived?: true;
};

/** Writes a change of a locked project and increments its version. */
export async function updateProject(tx: Tx, id: number, change: ProjectChange): Promise<void> {
  await tx.kysely
    .updateTable('svc.projects')
    .set({
      ...(change.name !== undefined && { name: change.name }),
      ...(change.description !== undefined && { description: change.description }),
      ...(change.accessMode !== undefined && { access_mode: change.accessMode }),
      ...(change.isArchived && { archived_at: sql<Date>`now()` }),
      updated_at: sql<Date>`now()`,
      version: sql<number>`version + 1`,
    })
    .where('id', '=', id)
    .execute();
}

/** Returns the level of the right in one project; 0 when it is out of reach. */
export async function findRightLevel(executor: Executor, reach: Reach, id: number): Promise<number> {
  const readable = readableProjects(reach, 2);
  const text = `select right_level from (${readable.text}) readable where project_id = $1::int`;
  const { rows } = await executor.query<{ right_level: number }>(named(text, [id, ...readable.values]));
  return rows[0]?.right_level ?? 0;
}

/** Returns true if the project exists and is live. For callers who administer projects that they cannot read. */
export async function isLiveProject(executor: Executor, id: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    'select from svc.projects where id = $1 and archived_at is null',
    [id],
  );
  return rowCount === 1;
}
