import type { ProjectRole } from '@svc/contract';
import type { Queryable } from '../../../server/src/platform/db/index.ts';

/** Inserts a project with its members directly into the database. */
export async function addProject(
  database: Queryable,
  project: { name: string; accessMode?: 'Open' | 'Restricted'; members?: readonly [number, ProjectRole][] },
): Promise<number> {
  const { rows } = await database.query<{ id: number }>(
    'insert into svc.projects (name, access_mode) values ($1, $2) returning id',
    [project.name, project.accessMode ?? 'Open'],
  );
  const id = rows[0]?.id ?? 0;
  for (const [userId, role] of project.members ?? []) {
    await database.query('insert into svc.project_members (project_id, user_id, role) values ($1, $2, $3)', [
      id,
      userId,
      role,
    ]);
  }
  return id;
}

/** Inserts a data source without a usable connection, linked to projects. */
export async function addSource(
  database: Queryable,
  name: string,
  projectIds: readonly number[] = [],
): Promise<number> {
  const { rows } = await database.query<{ id: number }>(
    "insert into svc.data_sources (name, engine, connection_shown, connection_sealed) values ($1, 'PostgreSQL', '{}', 'none') returning id",
    [name],
  );
  const id = rows[0]?.id ?? 0;
  for (const projectId of projectIds) {
    await database.query(
      'insert into svc.project_data_sources (project_id, data_source_id) values ($1, $2)',
      [projectId, id],
    );
  }
  return id;
}
