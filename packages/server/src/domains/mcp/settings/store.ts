import type { Executor, Tx } from '../../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../../platform/http/index.ts';
import type { StoredValues } from './resolve.ts';

export type SettingsRow = {
  readonly values: StoredValues;
  readonly version: number;
  readonly updatedAt: Date | null;
  readonly updatedByUserName: string | null;
};

const neverSaved: SettingsRow = { values: {}, version: 0, updatedAt: null, updatedByUserName: null };

/** Returns the settings of a project; null means all projects. Empty when they were never saved. */
export async function findSettings(executor: Executor, projectId: number | null): Promise<SettingsRow> {
  const { rows } = await executor.query<SettingsRow>(
    `select s.values, s.version, s.updated_at as "updatedAt", u.user_name as "updatedByUserName"
       from svc.mcp_settings s left join svc.users u on u.id = s.updated_by_user_id
      where s.project_id is not distinct from $1::int`,
    [projectId],
  );
  return rows[0] ?? neverSaved;
}

/** Returns the stored settings of all projects together, and of each given project. */
export async function findValues(
  executor: Executor,
  projectIds: readonly number[],
): Promise<{ global: StoredValues; ofProject: ReadonlyMap<number, StoredValues> }> {
  const { rows } = await executor.query<{ projectId: number | null; values: StoredValues }>(
    `select project_id as "projectId", values from svc.mcp_settings
      where project_id is null or project_id = any($1::int[])`,
    [projectIds],
  );
  return {
    global: rows.find(({ projectId }) => projectId === null)?.values ?? {},
    ofProject: new Map(
      rows.flatMap(({ projectId, values }) => (projectId === null ? [] : [[projectId, values] as const])),
    ),
  };
}

/** Creates the row when it is missing, and locks it until the transaction ends. */
export async function lockSettings(tx: Tx, projectId: number | null): Promise<SettingsRow> {
  await tx.query(
    'insert into svc.mcp_settings (project_id, version) values ($1::int, 0) on conflict (coalesce(project_id, 0)) do nothing',
    [projectId],
  );
  const { rows } = await tx.query<SettingsRow>(
    `select values, version, updated_at as "updatedAt", null as "updatedByUserName"
       from svc.mcp_settings where project_id is not distinct from $1::int for update`,
    [projectId],
  );
  return rows[0] ?? neverSaved;
}

export async function saveSettings(
  tx: Tx,
  projectId: number | null,
  values: StoredValues,
  userId: number | null,
): Promise<void> {
  await tx.query(
    `update svc.mcp_settings set values = $2::jsonb, version = version + 1, updated_at = now(), updated_by_user_id = $3
      where project_id is not distinct from $1::int`,
    [projectId, JSON.stringify(values), userId],
  );
}

export async function insertChange(
  tx: Tx,
  change: { projectId: number | null; userId: number | null; before: object; after: object },
): Promise<void> {
  await tx.query(
    `insert into svc.mcp_settings_changes (project_id, changed_by_user_id, before, after)
     values ($1, $2, $3::jsonb, $4::jsonb)`,
    [change.projectId, change.userId, JSON.stringify(change.before), JSON.stringify(change.after)],
  );
}

export type ChangeRow = {
  readonly id: number;
  readonly projectId: number | null;
  readonly projectName: string | null;
  readonly changedAt: Date;
  readonly changedByUserName: string | null;
  readonly before: Record<string, unknown>;
  readonly after: Record<string, unknown>;
};

export async function listChanges(
  executor: Executor,
  projectId: number | null,
  page: PageRequest,
): Promise<{ rows: ChangeRow[]; totalCount: number }> {
  const { rows } = await executor.query<ChangeRow>(
    `select c.id, c.project_id as "projectId", p.name as "projectName", c.changed_at as "changedAt",
       u.user_name as "changedByUserName", c.before, c.after
     from svc.mcp_settings_changes c left join svc.projects p on p.id = c.project_id
       left join svc.users u on u.id = c.changed_by_user_id
     where ($1::int is null or c.project_id = $1) order by ${orderBy(page)} limit $2 offset $3`,
    [projectId, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    'select count(*)::int as count from svc.mcp_settings_changes c where ($1::int is null or c.project_id = $1)',
    [projectId],
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

export type ProjectSettingsRow = {
  readonly projectId: number;
  readonly name: string;
  readonly values: StoredValues | null;
};

export const projectSortable = { name: 'lower(p.name) collate "C"', projectId: 'p.id' } as const;

/** Returns live projects with their settings. For administrators of settings, without a check of project access. */
export async function listProjectSettings(
  executor: Executor,
  search: string | null,
  page: PageRequest,
): Promise<{ rows: ProjectSettingsRow[]; totalCount: number }> {
  const from = `from svc.projects p left join svc.mcp_settings s on s.project_id = p.id
    where p.archived_at is null and ($1::text is null or position(lower($1) in lower(p.name)) > 0)`;
  const { rows } = await executor.query<ProjectSettingsRow>(
    `select p.id as "projectId", p.name, s.values ${from} order by ${orderBy(page)} limit $2 offset $3`,
    [search, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(`select count(*)::int as count ${from}`, [search]);
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

/** Returns the name of a live project; undefined when it does not exist. */
export async function findProjectName(executor: Executor, projectId: number): Promise<string | undefined> {
  const { rows } = await executor.query<{ name: string }>(
    'select name from svc.projects where id = $1 and archived_at is null',
    [projectId],
  );
  return rows[0]?.name;
}
