import type { Executor } from '../../platform/db/index.ts';

/** Returns the engine of a live data source that is linked to a project; undefined when no such link exists. */
export async function findEngine(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
): Promise<string | undefined> {
  const { rows } = await executor.query<{ engine: string }>(
    `select d.engine from svc.data_sources d join svc.project_data_sources l on l.data_source_id = d.id
      where l.project_id = $1 and d.id = $2 and d.archived_at is null`,
    [projectId, dataSourceId],
  );
  return rows[0]?.engine;
}
