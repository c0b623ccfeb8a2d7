import type { McpValues } from '@svc/contract';
import type { Caller } from '../../../platform/access/index.ts';
import { createSharedReads } from '../../../platform/concurrency/shared-reads.ts';
import type { Database } from '../../../platform/db/index.ts';
import { plainText } from '../../../platform/text/index.ts';
import type { LinkedSources } from '../../data-sources/index.ts';
import { reachOf } from '../../projects/index.ts';
import { ToolRefusal } from '../calls/refusal.ts';
import { effectiveValues, type McpGovernance } from '../settings/resolve.ts';
import type { UsableProject } from '../tools/index.ts';
import { type ReadableProject, readableProjects } from './projects-store.ts';

export type UsableProjects = ReturnType<typeof createUsableProjects>;

const namedMax = 30;
/** Upper bound for projects read per caller. */
const projectsMax = 1_000;

/** Returns projects that a caller may use over MCP: readable projects with MCP enabled. */
export function createUsableProjects(deps: {
  readonly database: Database;
  readonly governance: McpGovernance;
  readonly linkedSources: LinkedSources;
}) {
  const { database, governance, linkedSources } = deps;

  const withSettings = (row: ReadableProject): UsableProject & { readonly settings: McpValues } => ({
    id: row.id,
    name: row.name,
    description: row.description,
    settings: effectiveValues(governance, row.global_values ?? {}, row.project_values ?? {}),
    ...(row.sources && { sources: linkedSources.read(row.sources) }),
  });
  const reads = createSharedReads();
  /**
   * Concurrent calls of one caller share a read, which starts after each of them has arrived. They also share its
   * result, so their data sources are decrypted once. Nothing is cached beyond these calls.
   */
  const readable = (caller: Caller, projectId: number | null, withSources: boolean) => {
    const reach = reachOf(caller);
    return reads.read(JSON.stringify([reach, projectId, withSources]), async () => {
      const rows = await readableProjects(database, reach, {
        projectId,
        max: projectId === null ? projectsMax : 1,
        sources: withSources ? linkedSources.column : undefined,
      });
      return rows.map(withSettings);
    });
  };
  const list = async (caller: Caller, withSources = false) => {
    const projects = await readable(caller, null, withSources);
    return projects.filter(({ settings }) => settings.isEnabled);
  };

  const find = async (caller: Caller, projectId: number, withSources = false) => {
    const [project] = await readable(caller, projectId, withSources);
    return project;
  };

  return {
    list: (caller: Caller) => list(caller),
    /** Returns a readable project, even when MCP is disabled in it. */
    find: (caller: Caller, projectId: number) => find(caller, projectId),

    /**
     * Returns the project of a call: the named project, or the only one. Checked for each call and never cached.
     *
     * @param withSources  Reads its data sources in the same statement.
     * @throws ToolRefusal with the names of the projects when there are several.
     */
    pick: async (
      caller: Caller,
      projectId: number | undefined,
      withSources: boolean,
    ): Promise<UsableProject> => {
      if (projectId !== undefined) {
        const project = await find(caller, projectId, withSources);
        if (!project) throw new ToolRefusal('project-denied', `Access denied for project ${projectId}.`);
        if (project.settings.isEnabled) return project;
        throw new ToolRefusal('mcp-disabled', `MCP is switched off for project ${projectId}.`);
      }
      const usable = await list(caller, withSources);
      const [only, ...more] = usable;
      if (!only) throw new ToolRefusal('no-project', 'No projects are available to you.');
      if (more.length === 0) return only;
      const named = usable.slice(0, namedMax).map(({ id, name }) => `${id} (${plainText(name)})`);
      const rest = usable.length > named.length ? `, and ${usable.length - named.length} more` : '';
      throw new ToolRefusal('project-needed', `You have several projects: ${named.join(', ')}${rest}.`);
    },
  };
}
