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
/** Most projects that are looked at for one caller. */
const projectsMax = 1_000;

/** Which projects a caller may use over MCP: those that it can read and where MCP is on. */
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
   * Calls of one caller in the same moment share a reading, which begins after each of them has come, and what is made
   * of it: their data sources are opened once, and kept no longer than by the calls themselves.
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
    /** A project that the caller can read, whether MCP is on there or not. */
    find: (caller: Caller, projectId: number) => find(caller, projectId),

    /**
     * The project of a call: the one that is named, or the only one. It is decided anew for each call, never
     * remembered.
     *
     * @param withSources  its data sources are read by the same statement, where that can be.
     * @throws ToolRefusal that names the projects when there are several.
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
