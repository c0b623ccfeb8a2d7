import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import type { Reach } from './access.ts';
import { readableProjects } from './readable.ts';

export type LinkedSourceRow = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly engine: string;
  readonly linked_at: Date;
};

export const linkSortable: Sortable = {
  name: 'lower(d.name) collate "C"',
  engine: 'd.engine collate "C"',
  linkedAt: 'l.linked_at',
};

const linked = `from svc.project_data_sources l join svc.data_sources d on d.id = l.data_source_id
  where l.project_id = $1 and d.archived_at is null`;
const columns = 'd.id, d.name, d.description, d.engine, l.linked_at';

/** Returns one page of the live data sources that are linked to a project. */
export async function listLinks(
  executor: Executor,
  projectId: number,
  filter: { readonly search: string | null },
  page: PageRequest,
): Promise<{ rows: LinkedSourceRow[]; total: number }> {
  const condition = `${linked} and ($2::text is null or position(lower($2) in lower(d.name)) > 0)`;
  const { rows } = await executor.query<LinkedSourceRow>(
    `select ${columns} ${condition} order by ${orderBy(page)} limit $3 offset $4`,
    [projectId, filter.search, page.limit, page.offset],
  );
  const counted = await executor.query<{ total: number }>(`select count(*) as total ${condition}`, [
    projectId,
    filter.search,
  ]);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export async function findLink(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
): Promise<LinkedSourceRow | undefined> {
  const { rows } = await executor.query<LinkedSourceRow>(`select ${columns} ${linked} and d.id = $2`, [
    projectId,
    dataSourceId,
  ]);
  return rows[0];
}

/** Facts that decide whether the caller may link a source. */
export type LinkFacts = {
  readonly isReadable: boolean;
  readonly isOpenlyReachable: boolean;
  readonly isInManagedProject: boolean;
};

/**
 * Returns the facts for a link to a live data source and locks the source until the transaction ends. Undefined: the
 * source does not exist.
 */
export async function findLinkFacts(
  tx: Tx,
  reach: Reach,
  dataSourceId: number,
): Promise<LinkFacts | undefined> {
  const readable = readableProjects(reach, 2, ['p.access_mode']);
  const { rows } = await tx.query<LinkFacts>(
    `with source as (select id from svc.data_sources where id = $1 and archived_at is null for share),
     holding as (
       select h.right_level, h.access_mode from svc.project_data_sources l
         join (${readable.text}) h on h.project_id = l.project_id
        where l.data_source_id = $1)
     select exists (select from holding) as "isReadable",
            exists (select from svc.project_data_sources l join svc.projects p on p.id = l.project_id
                     where l.data_source_id = $1 and p.access_mode = 'Open' and p.archived_at is null) as "isOpenlyReachable",
            exists (select from holding where right_level = 3) as "isInManagedProject"
       from source`,
    [dataSourceId, ...readable.values],
  );
  return rows[0];
}

/** Links a source. A second link violates the primary key `project_data_sources_pkey`. */
export async function insertLink(
  tx: Tx,
  link: { projectId: number; dataSourceId: number; linkedByUserId: number | null },
): Promise<void> {
  await tx.kysely
    .insertInto('svc.project_data_sources')
    .values({
      project_id: link.projectId,
      data_source_id: link.dataSourceId,
      linked_by_user_id: link.linkedByUserId,
    })
    .execute();
}

/** @returns true if the link existed. */
export async function deleteLink(tx: Tx, projectId: number, dataSourceId: number): Promise<boolean> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('svc.project_data_sources')
    .where('project_id', '=', projectId)
    .where('data_source_id', '=', dataSourceId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns the names of the project's live queries with a step on the source, at most `limit`. */
export async function queriesUsing(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await executor.query<{ name: string }>(
    `select q.name from svc.queries q
      where q.project_id = $1 and q.archived_at is null
        and exists (select from svc.query_steps s where s.query_id = q.id and s.data_source_id = $2)
      order by q.name collate "C", q.id limit $3`,
    [projectId, dataSourceId, limit],
  );
  return rows.map((row) => row.name);
}
