import type { Executor } from '../../platform/db/index.ts';
import { type Reach, reachParameterCount, reachValues, readableProjectsText } from '../projects/index.ts';
import type { StoredValues } from './settings/resolve.ts';

export type ReadableProject = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly global_values: StoredValues | null;
  readonly project_values: StoredValues | null;
};

const wanted = `$${reachParameterCount + 1}`;
const limit = `$${reachParameterCount + 2}`;

/** Projects in reach with the settings that hold there, in one statement: it is on the way of every call. */
export async function readableProjects(
  executor: Executor,
  reach: Reach,
  projectId: number | null,
  max: number,
): Promise<ReadableProject[]> {
  const { rows } = await executor.query<ReadableProject>({
    name: 'mcp-readable-projects',
    text: `select r.project_id as id, r.name, r.description, own.values as project_values,
        (select values from svc.mcp_settings where project_id is null) as global_values
      from (${readableProjectsText(1, ['p.name', 'p.description'])}) r
      left join svc.mcp_settings own on own.project_id = r.project_id
      where ${wanted}::int is null or r.project_id = ${wanted}::int order by r.project_id limit ${limit}::int`,
    values: [...reachValues(reach), projectId, max],
  });
  return rows;
}
