import type { QueryCheckVerdict, QueryParameter } from '@svc/contract';
import { sql } from 'kysely';
import type { Caller } from '../../platform/access/index.ts';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';
import type { KeyedStep } from './step-keys.ts';

export type StepRow = {
  id: number;
  key: string;
  order: number;
  name: string | null;
  description: string | null;
  dataSourceId: number;
  dataSourceName: string;
  engine: string;
  sql: string;
};

export type QueryRow = {
  id: number;
  projectId: number;
  projectName: string;
  name: string;
  description: string | null;
  folderId: number | null;
  folderPath: string | null;
  finalQuery: string | null;
  parameters: QueryParameter[];
  isLocked: boolean;
  isDemo: boolean;
  subscriptionCount: number;
  /** Check of the active definition. */
  check: { verdict: QueryCheckVerdict; message: string | null; checkedAt: string } | null;
  createdTime: Date;
  updatedAt: Date;
  version: number;
  versionNumber: number | null;
  activeVersionId: number | null;
  steps: StepRow[];
};

/** Definition that waits for approval, with its request. */
export type PendingRow = {
  readonly id: number;
  readonly versionNumber: number;
  readonly approvalId: number;
  readonly requestedByUserName: string | null;
  readonly requestedByUserId: number | null;
  readonly requestedByHostUser: string | null;
};

export type FoundQuery = QueryRow & {
  readonly pendingVersion: PendingRow | null;
  /** Time of the active version; null until a version is approved. */
  readonly savedAt: Date | null;
  readonly savedByUserName: string | null;
  readonly createdByUserName: string | null;
};

export const sortable = {
  name: 'lower(q.name) collate "C"',
  projectName: 'lower(p.name) collate "C"',
  createdTime: 'q.created_time',
  updatedAt: 'q.updated_at',
  subscriptionCount: '"subscriptionCount"',
  id: 'q.id',
} as const;

const live = (executor: Executor) =>
  executor.kysely
    .selectFrom('svc.queries as q')
    .innerJoin('svc.projects as p', 'p.id', 'q.project_id')
    .where('q.archived_at', 'is', null)
    .where('p.archived_at', 'is', null);

const columns = [
  'q.id',
  'q.project_id as projectId',
  'p.name as projectName',
  'q.name',
  'q.description',
  'q.folder_id as folderId',
  sql<string | null>`array_to_string(svc.query_folder_names(q.folder_id), '/')`.as('folderPath'),
  'q.final_query as finalQuery',
  sql<QueryParameter[]>`q.parameters`.as('parameters'),
  'q.is_locked as isLocked',
  'q.is_demo as isDemo',
  sql<number>`(select count(*) from svc.subscriptions s where s.query_id = q.id and s.archived_at is null)`.as(
    'subscriptionCount',
  ),
  sql<QueryRow['check']>`(select json_build_object('verdict', k.verdict, 'message', k.message, 'checkedAt',
      to_char(k.checked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from svc.query_checks k where k.query_id = q.id and k.version_id is not distinct from q.active_version_id)`.as(
    'check',
  ),
  'q.created_time as createdTime',
  'q.updated_at as updatedAt',
  'q.version',
  'q.active_version_id as activeVersionId',
  sql<number | null>`(select v.version_number from svc.query_versions v where v.id = q.active_version_id)`.as(
    'versionNumber',
  ),
  sql<StepRow[]>`coalesce((
    select json_agg(json_build_object('id', st.id, 'key', st.step_key, 'order', st.step_order, 'name', st.name, 'description', st.description,
      'dataSourceId', st.data_source_id, 'dataSourceName', d.name, 'engine', d.engine, 'sql', st.sql) order by st.step_order)
    from svc.query_steps st join svc.data_sources d on d.id = st.data_source_id where st.query_id = q.id), '[]')`.as(
    'steps',
  ),
] as const;

export type QueryFilter = {
  readonly search?: string | undefined;
  readonly projectId?: number | undefined;
  readonly dataSourceId?: number | undefined;
  /** Includes the folders below it. */
  readonly folderId?: number | undefined;
  readonly check?: QueryCheckVerdict | undefined;
  /** True: only queries with an approved definition. */
  readonly isApproved?: boolean;
};

/** Returns one page of the queries of the given projects; null: of all. */
export async function listQueries(
  executor: Executor,
  projectIds: readonly number[] | null,
  filter: QueryFilter,
  page: PageRequest,
): Promise<{ rows: QueryRow[]; totalCount: number }> {
  let base = live(executor);
  if (projectIds !== null) base = base.where(sql<boolean>`q.project_id = any(${projectIds}::int[])`);
  if (filter.projectId !== undefined) base = base.where('q.project_id', '=', filter.projectId);
  if (filter.dataSourceId !== undefined) {
    base = base.where(
      sql<boolean>`exists (select from svc.query_steps st where st.query_id = q.id and st.data_source_id = ${filter.dataSourceId})`,
    );
  }
  if (filter.folderId !== undefined) {
    base = base.where(
      sql<boolean>`q.folder_id in (select b.id from svc.query_folders_below(${filter.folderId}) b)`,
    );
  }
  if (filter.check !== undefined) {
    base = base.where(
      sql<boolean>`exists (select from svc.query_checks k where k.query_id = q.id and k.verdict = ${filter.check}
        and k.version_id is not distinct from q.active_version_id)`,
    );
  }
  if (filter.isApproved) base = base.where('q.active_version_id', 'is not', null);
  if (filter.search)
    base = base.where(
      sql<boolean>`position(lower(${filter.search}) in lower(q.name || ' ' || coalesce(q.description, ''))) > 0`,
    );
  const counted = await base.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  const rows = await base
    .select(columns)
    .orderBy(sql.raw(orderBy(page)))
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { rows, totalCount: counted.count };
}

const pendingVersion = sql<PendingRow | null>`(
  select json_build_object('id', v.id, 'versionNumber', v.version_number, 'approvalId', c.id,
    'requestedByUserName', coalesce(u.display_name, u.user_name, c.requested_by_host_user),
    'requestedByUserId', c.requested_by_user_id, 'requestedByHostUser', c.requested_by_host_user)
  from svc.approval_requests c join svc.query_versions v on v.id = c.query_version_id
    left join svc.users u on u.id = c.requested_by_user_id
  where c.query_id = q.id and c.status = 'Pending')`.as('pendingVersion');

/** Finds a live query of a live project. */
export const findQuery = (executor: Executor, id: number): Promise<FoundQuery | undefined> =>
  live(executor)
    .leftJoin('svc.query_versions as av', 'av.id', 'q.active_version_id')
    .leftJoin('svc.users as su', (on) =>
      on.on(
        sql<boolean>`su.id = case when av.id is null then q.created_by_user_id else av.created_by_user_id end`,
      ),
    )
    .select(columns)
    .select([
      pendingVersion,
      'av.created_time as savedAt',
      sql<string | null>`coalesce(su.display_name, su.user_name)`.as('savedByUserName'),
      sql<
        string | null
      >`(select coalesce(cu.display_name, cu.user_name) from svc.users cu where cu.id = q.created_by_user_id)`.as(
        'createdByUserName',
      ),
    ])
    .where('q.id', '=', id)
    .executeTakeFirst();

/** Locks the query against other changes until the transaction ends. */
export async function lockRow(tx: Tx, id: number): Promise<void> {
  await tx.query('select from svc.queries where id = $1 for update', [id]);
}

export type QueryFields = {
  readonly name: string;
  readonly description: string | null;
  readonly finalQuery: string | null;
  readonly parameters: readonly QueryParameter[];
};

export async function insertQuery(
  tx: Tx,
  projectId: number,
  fields: QueryFields & { readonly folderId: number | null },
  { userId, aiActorId }: Pick<Caller, 'userId' | 'aiActorId'>,
): Promise<number> {
  const { id } = await tx.kysely
    .insertInto('svc.queries')
    .values({
      project_id: projectId,
      folder_id: fields.folderId,
      name: fields.name,
      description: fields.description,
      final_query: fields.finalQuery,
      parameters: JSON.stringify(fields.parameters),
      created_by_user_id: userId,
      updated_by_user_id: userId,
      ai_actor_id: aiActorId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateQuery(
  tx: Tx,
  id: number,
  fields: QueryFields,
  userId: number | null,
): Promise<void> {
  await tx.query(
    `update svc.queries set name = $2, description = $3, final_query = $4, parameters = $5,
       updated_at = now(), updated_by_user_id = $6, version = version + 1 where id = $1`,
    [id, fields.name, fields.description, fields.finalQuery, JSON.stringify(fields.parameters), userId],
  );
}

/** Replaces the steps of the query. A step with the same key retains its id. */
export async function replaceSteps(tx: Tx, queryId: number, steps: readonly KeyedStep[]): Promise<void> {
  await tx.query('delete from svc.query_steps where query_id = $1 and step_key <> all($2::uuid[])', [
    queryId,
    steps.map((step) => step.key),
  ]);
  await tx.query(
    `insert into svc.query_steps as st (query_id, step_key, step_order, name, description, data_source_id, sql)
     select $1, s.key, s."order", s.name, s.description, s."dataSourceId", s.sql
     from jsonb_to_recordset($2::jsonb)
       as s (key uuid, "order" int, name text, description text, "dataSourceId" int, sql text)
     on conflict (query_id, step_key) do update set step_order = excluded.step_order, name = excluded.name,
       description = excluded.description, data_source_id = excluded.data_source_id, sql = excluded.sql`,
    [queryId, JSON.stringify(steps)],
  );
}

/** @returns true if the state changed. */
export async function setLocked(
  tx: Tx,
  id: number,
  isLocked: boolean,
  userId: number | null,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.queries set is_locked = $2, locked_at = case when $2 then now() end, locked_by_user_id = case when $2 then $3::int end,
       version = version + 1 where id = $1 and is_locked <> $2`,
    [id, isLocked, userId],
  );
  return rowCount === 1;
}

/** Locks the links to these sources, and the sources, until the transaction ends. */
export async function lockLinks(tx: Tx, projectId: number, dataSourceIds: readonly number[]): Promise<void> {
  await tx.query(
    `select from svc.project_data_sources l join svc.data_sources d on d.id = l.data_source_id
      where l.project_id = $1 and l.data_source_id = any($2::int[]) for share`,
    [projectId, dataSourceIds],
  );
}

/** Returns the data sources that are archived or not linked to the project. */
export async function unlinkedSources(
  executor: Executor,
  projectId: number,
  dataSourceIds: readonly number[],
): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select wanted.id from unnest($2::int[]) as wanted (id)
     where not exists (
       select from svc.project_data_sources l join svc.data_sources d on d.id = l.data_source_id and d.archived_at is null
       where l.project_id = $1 and l.data_source_id = wanted.id)`,
    [projectId, [...new Set(dataSourceIds)]],
  );
  return rows.map((row) => row.id);
}
