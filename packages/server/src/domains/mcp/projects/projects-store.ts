import { type Database, named } from '../../../platform/db/index.ts';
import type { LinkedRow } from '../../data-sources/index.ts';
import { type Reach, readableProjects as readableIn } from '../../projects/index.ts';
import type { StoredValues } from '../settings/resolve.ts';

export type ReadableProject = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly global_values: StoredValues | null;
  readonly project_values: StoredValues | null;
  /** Data sources of the project, when they were requested for a single project. */
  readonly sources?: readonly LinkedRow[] | null;
};

/**
 * Returns accessible projects with their effective settings. One statement, because every call needs it.
 *
 * @param options.projectId  Null means all projects, at most `max`.
 * @param options.sources  Returns SQL for the column of data sources, when they are requested.
 */
export async function readableProjects(
  { lookups }: Pick<Database, 'lookups'>,
  reach: Reach,
  options: {
    readonly projectId: number | null;
    readonly max: number;
    readonly sources?: ((projectId: string) => string) | undefined;
  },
): Promise<ReadableProject[]> {
  const { projectId, max, sources } = options;
  const readable = readableIn(reach, 3, ['p.name', 'p.description']);
  const more = sources
    ? `, case when count(*) over () = 1 then ${sources('r.project_id')} end as sources`
    : '';
  const text = `select r.project_id as id, r.name, r.description, own.values as project_values,
      (select values from svc.mcp_settings where project_id is null) as global_values${more}
    from (${readable.text}) r
    left join svc.mcp_settings own on own.project_id = r.project_id
    where $1::int is null or r.project_id = $1::int order by r.project_id limit $2::int`;
  // Sent in one pipeline with the check of the key. A call needs both, and the pipeline saves a sixth of the time.
  const { rows } = await lookups.flush<ReadableProject>(named(text, [projectId, max, ...readable.values]));
  return rows;
}
