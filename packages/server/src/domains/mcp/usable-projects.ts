import type { McpValues } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { reachOf } from '../projects/index.ts';
import { plainText } from './framing.ts';
import { type ReadableProject, readableProjects } from './projects-store.ts';
import { ToolRefusal } from './refusal.ts';
import { effectiveValues, type McpGovernance } from './settings/resolve.ts';
import type { UsableProject } from './tools/index.ts';

export type UsableProjects = ReturnType<typeof createUsableProjects>;

const namedMax = 30;
/** Most projects that are looked at for one caller. */
const projectsMax = 1_000;

/** Which projects a caller may use over MCP: those that it can read and where MCP is on. */
export function createUsableProjects(deps: { database: Executor; governance: McpGovernance }) {
  const { database, governance } = deps;

  const withSettings = (row: ReadableProject): UsableProject & { readonly settings: McpValues } => ({
    id: row.id,
    name: row.name,
    description: row.description,
    settings: effectiveValues(governance, row.global_values ?? {}, row.project_values ?? {}),
  });
  const list = async (caller: Caller) =>
    (await readableProjects(database, reachOf(caller), null, projectsMax))
      .map(withSettings)
      .filter(({ settings }) => settings.isEnabled);

  const find = async (caller: Caller, projectId: number) => {
    const [row] = await readableProjects(database, reachOf(caller), projectId, 1);
    return row && withSettings(row);
  };

  return {
    list,
    /** A project that the caller can read, whether MCP is on there or not. */
    find,

    /**
     * The project of a call: the one that is named, or the only one. It is decided anew for each call, never
     * remembered.
     *
     * @throws ToolRefusal that names the projects when there are several.
     */
    pick: async (caller: Caller, projectId: number | undefined): Promise<UsableProject> => {
      if (projectId !== undefined) {
        const project = await find(caller, projectId);
        if (!project) throw new ToolRefusal('project-denied', `Access denied for project ${projectId}.`);
        if (project.settings.isEnabled) return project;
        throw new ToolRefusal('mcp-disabled', `MCP is switched off for project ${projectId}.`);
      }
      const usable = await list(caller);
      const [only, ...more] = usable;
      if (!only) throw new ToolRefusal('no-project', 'No projects are available to you.');
      if (more.length === 0) return only;
      const named = usable.slice(0, namedMax).map(({ id, name }) => `${id} (${plainText(name)})`);
      const rest = usable.length > named.length ? `, and ${usable.length - named.length} more` : '';
      throw new ToolRefusal(
        'project-needed',
        `You have several projects. Name one in project_id: ${named.join(', ')}${rest}.`,
      );
    },
  };
}
