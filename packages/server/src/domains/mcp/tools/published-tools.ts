import { queryToolPrefix, queryToolsOfferedMax } from '@svc/contract';
import type { Caller } from '../../../platform/access/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { bodyValidator } from '../../../platform/http/index.ts';
import { findPublishedTool, offeredQueries, type PublishedQuery } from '../../query-tools/index.ts';
import type { RunningDeps } from '../calls/running.ts';
import type { Catalogue } from '../context/catalogue.ts';
import type { UsableProjects } from '../projects/usable-projects.ts';
import { publishedQueryTool } from './published-query.ts';
import { plainSchema, type Tool, type UsableProject } from './tool.ts';

/** Upper bound for queries read, including disabled ones. */
const readMax = 200;
/** Upper bound for cached validators. The parameters of a version never change. */
const validatorsMax = 500;

/** A tool of a published query, in its project. */
export type PublishedTool = {
  readonly tool: Tool;
  readonly project: UsableProject;
  readonly faultOf: (args: unknown) => string | undefined;
};

export type PublishedTools = ReturnType<typeof createPublishedTools>;

/**
 * Creates the tools of published queries in the projects that a caller may use. Only validators of arguments are
 * cached.
 */
export function createPublishedTools(
  deps: RunningDeps & {
    readonly database: Database;
    readonly catalogue: Catalogue;
    readonly projects: UsableProjects;
  },
) {
  const { database, projects } = deps;
  const validators = new Map<number, PublishedTool['faultOf']>();

  const validatorOf = (query: PublishedQuery, tool: Tool): PublishedTool['faultOf'] => {
    const cachedValidator = validators.get(query.versionId);
    if (cachedValidator) return cachedValidator;
    const [oldest] = validators.size >= validatorsMax ? validators.keys() : [];
    if (oldest !== undefined) validators.delete(oldest);
    const validator = bodyValidator(plainSchema(tool.input));
    validators.set(query.versionId, validator);
    return validator;
  };

  // The tool's own schema has accepted its arguments before it runs.
  const toolOf = (query: PublishedQuery): Tool => publishedQueryTool(deps, query) as Tool;

  return {
    /** Returns the tools that these projects offer. */
    list: async (usable: readonly UsableProject[]): Promise<Tool[]> => {
      if (usable.length === 0) return [];
      const off = new Map(usable.map(({ id, settings }) => [id, settings.disabledTools]));
      const offered = await offeredQueries(database, [...off.keys()], readMax);
      return offered
        .filter(({ projectId, toolName }) => !off.get(projectId)?.includes(toolName))
        .slice(0, queryToolsOfferedMax)
        .map(toolOf);
    },

    /** Returns the tool of this name; undefined when it does not exist or the caller may not use its project. */
    find: async (name: string, caller: Caller): Promise<PublishedTool | undefined> => {
      const query = name.startsWith(queryToolPrefix) ? await findPublishedTool(database, name) : undefined;
      const project = query && (await projects.find(caller, query.projectId));
      if (!query || !project?.settings.isEnabled) return undefined;
      const tool = toolOf(query);
      return { tool, project, faultOf: validatorOf(query, tool) };
    },
  };
}
