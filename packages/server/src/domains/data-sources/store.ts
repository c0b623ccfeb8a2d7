import { sql } from 'kysely';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import { type Reach, readableProjects } from '../projects/index.ts';

/**
 * State of a source saved before the service refused privileged logins. `Unasked`: its login was not checked yet.
 * `Tolerated`: the login is privileged.
 */
export type PrivilegedLogin = 'Unasked' | 'Tolerated';

export type DataSourceRow = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly engine: string;
  readonly connection_shown: unknown;
  readonly connection_sealed: string;
  readonly metadata_options: unknown;
  readonly are_migration_writes_allowed: boolean;
  readonly is_demo: boolean;
  readonly created_time: Date;
  readonly updated_at: Date;
  readonly version: number;
  readonly privileged_login: PrivilegedLogin | null;
  /** Highest right in a project that links the source; 0 without access. */
  readonly right_level: number;
  readonly is_openly_reachable: boolean;
  readonly query_count: number;
};

/** Scope of a caller: accessible projects, and whether sources outside of them are visible. */
export type SourceView = { readonly reach: Reach; readonly seesAll: boolean };

export const dataSourceSortable: Sortable = {
  name: 'lower(d.name) collate "C"',
  engine: 'd.engine collate "C"',
  createdTime: 'd.created_time',
  updatedAt: 'd.updated_at',
};

/**
 * Returns the SQL parts that every statement about visible sources shares. Its own parameters start at number `first`.
 */
function inView({ reach, seesAll }: SourceView, first: number, shown = 'd.connection_shown') {
  const readable = readableProjects(reach, first);
  return {
    values: readable.values,
    with: `with readable as materialized (${readable.text}),
      held as (select l.data_source_id, max(r.right_level) as right_level
                 from svc.project_data_sources l join readable r on r.project_id = l.project_id
                group by l.data_source_id)`,
    // Administrators also have their right in sources without a project.
    columns: `d.id, d.name, d.description, d.engine, ${shown}, d.connection_sealed, d.metadata_options,
      d.are_migration_writes_allowed, d.is_demo, d.created_time, d.updated_at, d.version, d.privileged_login,
      greatest(held.right_level, ${reach.everywhere}) as right_level,
      exists (select from svc.project_data_sources l join svc.projects p on p.id = l.project_id
               where l.data_source_id = d.id and p.access_mode = 'Open' and p.archived_at is null) as is_openly_reachable,
      (select count(distinct q.id)::int from svc.query_steps s join svc.queries q on q.id = s.query_id
         join readable r on r.project_id = q.project_id
        where s.data_source_id = d.id and q.archived_at is null) as query_count`,
    from: `from svc.data_sources d left join held on held.data_source_id = d.id
      where d.archived_at is null${seesAll ? '' : ' and held.right_level >= 1'}`,
  };
}

/**
 * Returns one page of the visible live sources.
 *
 * @param documentFields  Connection settings that the list omits.
 */
export async function listDataSources(
  executor: Executor,
  view: SourceView,
  filter: {
    readonly search: string | null;
    readonly projectId: number | null;
    readonly hasWarnings: boolean | null;
  },
  page: PageRequest,
  documentFields: readonly string[],
): Promise<{ rows: DataSourceRow[]; total: number }> {
  const condition = `and ($1::text is null or position(lower($1) in lower(d.name)) > 0)
    and ($2::int is null or exists (select from svc.project_data_sources l
          join readable r on r.project_id = l.project_id where l.data_source_id = d.id and l.project_id = $2))
    and ($3::bool is null or $3 = (${view.seesAll} and d.privileged_login is not distinct from 'Tolerated'))`;
  const listed = inView(view, 7, 'd.connection_shown - $6::text[] as connection_shown');
  const { rows } = await executor.query<DataSourceRow>(
    `${listed.with} select ${listed.columns} ${listed.from} ${condition}
      order by ${orderBy(page)} limit $4 offset $5`,
    [
      filter.search,
      filter.projectId,
      filter.hasWarnings,
      page.limit,
      page.offset,
      documentFields,
      ...listed.values,
    ],
  );
  const counted = inView(view, 4);
  const { rows: counts } = await executor.query<{ total: number }>(
    `${counted.with} select count(*) as total ${counted.from} ${condition}`,
    [filter.search, filter.projectId, filter.hasWarnings, ...counted.values],
  );
  return { rows, total: counts[0]?.total ?? 0 };
}

/** Returns the live source when it is visible. */
export async function findDataSource(
  executor: Executor,
  view: SourceView,
  id: number,
): Promise<DataSourceRow | undefined> {
  const clauses = inView(view, 2);
  const { rows } = await executor.query<DataSourceRow>(
    `${clauses.with} select ${clauses.columns} ${clauses.from} and d.id = $1`,
    [id, ...clauses.values],
  );
  return rows[0];
}

/** Locks a live source until the transaction ends. Concurrent changes, archiving, links and queries wait. */
export async function lockDataSource(tx: Tx, id: number): Promise<{ version: number } | undefined> {
  const { rows } = await tx.query<{ version: number }>(
    'select version from svc.data_sources where id = $1 and archived_at is null for update',
    [id],
  );
  return rows[0];
}

/** Reserves an id for a new source, because the encrypted connection is bound to it. */
export async function nextDataSourceId(executor: Executor): Promise<number> {
  const { rows } = await executor.query<{ id: number }>(
    "select nextval(pg_get_serial_sequence('svc.data_sources', 'id'))::int as id",
  );
  if (!rows[0]) throw new Error('PostgreSQL gave no id.');
  return rows[0].id;
}

export type DataSourceWrite = {
  readonly name: string;
  readonly description: string | null;
  readonly connectionShown: unknown;
  readonly connectionSealed: string;
  readonly metadataOptions: unknown;
};

export async function insertDataSource(
  executor: Executor,
  source: DataSourceWrite & {
    readonly id: number;
    readonly engine: string;
    readonly createdByUserId: number | null;
    readonly isDemo: boolean;
  },
): Promise<void> {
  await executor.query(
    `insert into svc.data_sources (id, name, description, engine, connection_shown, connection_sealed,
       metadata_options, created_by_user_id, is_demo)
     overriding system value values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      source.id,
      source.name,
      source.description,
      source.engine,
      JSON.stringify(source.connectionShown),
      source.connectionSealed,
      JSON.stringify(source.metadataOptions),
      source.createdByUserId,
      source.isDemo,
    ],
  );
}

/** Updates a locked source and increments its version. */
export async function updateDataSource(tx: Tx, id: number, change: Partial<DataSourceWrite>): Promise<void> {
  await tx.kysely
    .updateTable('svc.data_sources')
    .set({
      ...(change.name !== undefined && { name: change.name }),
      ...(change.description !== undefined && { description: change.description }),
      ...(change.connectionShown !== undefined && {
        connection_shown: JSON.stringify(change.connectionShown),
      }),
      // A new connection gets a fresh login check, so an earlier tolerance ends.
      ...(change.connectionSealed !== undefined && {
        connection_sealed: change.connectionSealed,
        privileged_login: null,
      }),
      ...(change.metadataOptions !== undefined && {
        metadata_options: JSON.stringify(change.metadataOptions),
      }),
      updated_at: sql<Date>`now()`,
      version: sql<number>`version + 1`,
    })
    .where('id', '=', id)
    .execute();
}

/** @returns true when the value changed. */
export async function setMigrationWrites(tx: Tx, id: number, isAllowed: boolean): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.data_sources set are_migration_writes_allowed = $2, updated_at = now(), version = version + 1
      where id = $1 and are_migration_writes_allowed <> $2`,
    [id, isAllowed],
  );
  return (rowCount ?? 0) > 0;
}

export async function archiveDataSource(tx: Tx, id: number): Promise<void> {
  await tx.query(
    'update svc.data_sources set archived_at = now(), updated_at = now(), version = version + 1 where id = $1',
    [id],
  );
  await tx.query('delete from svc.data_source_metadata where data_source_id = $1', [id]);
}

/** Returns live queries of live projects with a step on the source. `name` is null for inaccessible queries. */
export async function queriesUsing(
  executor: Executor,
  reach: Reach,
  dataSourceId: number,
): Promise<{ name: string | null }[]> {
  const readable = readableProjects(reach, 2);
  const { rows } = await executor.query<{ name: string | null }>(
    `with readable as (${readable.text})
     select case when r.project_id is null then null else q.name end as name
       from svc.queries q join svc.projects p on p.id = q.project_id left join readable r on r.project_id = q.project_id
      where q.archived_at is null and p.archived_at is null
        and exists (select from svc.query_steps s where s.query_id = q.id and s.data_source_id = $1)
      order by 1 nulls last`,
    [dataSourceId, ...readable.values],
  );
  return rows;
}

/** A live source with the columns that a run needs. */
export type SealedSource = Pick<
  DataSourceRow,
  'id' | 'name' | 'engine' | 'connection_sealed' | 'metadata_options' | 'version' | 'privileged_login'
>;

/** Returns engine and sealed connection of live sources by id. For runs only: contains no permission check. */
export async function sealedConnections(executor: Executor, ids: readonly number[]): Promise<SealedSource[]> {
  const { rows } = await executor.query<SealedSource>({
    name: 'sealed-connections',
    text: `select id, name, engine, connection_sealed, metadata_options, version, privileged_login from svc.data_sources
            where id = any($1::int[]) and archived_at is null`,
    values: [ids],
  });
  return rows;
}

/**
 * Stores the privileges of a tolerated source's login, if the source has the same version as when it was checked.
 *
 * @returns true when the stored value changed.
 */
export async function notePrivilegedLogin(
  executor: Executor,
  source: { readonly id: number; readonly version: number },
  login: PrivilegedLogin | null,
): Promise<boolean> {
  const { rowCount } = await executor.query(
    `update svc.data_sources set privileged_login = $3
      where id = $1 and version = $2 and privileged_login is not null and privileged_login is distinct from $3`,
    [source.id, source.version, login],
  );
  return (rowCount ?? 0) > 0;
}
