import type { ListQuery, McpTool, McpToolResult, Page } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { callerKeyOf } from './calls/caller-key.ts';
import type { Calls } from './calls/calls.ts';
import type { CallFacts } from './calls/run-tool.ts';
import type { UsableProjects } from './projects/usable-projects.ts';
import { effectiveValues, type McpGovernance } from './settings/resolve.ts';
import { findSettings } from './settings/store.ts';
import { plainSchema, type Tool } from './tools/index.ts';
import type { PublishedTools } from './tools/published-tools.ts';

export type Playground = ReturnType<typeof createPlayground>;

/**
 * Creates the playground, which runs the tools in the browser. Calls use the caller's own rights and the same audit.
 */
export function createPlayground(deps: {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly governance: McpGovernance;
  readonly tools: readonly Tool[];
  readonly publishedTools: PublishedTools;
  readonly calls: Calls;
  readonly projects: UsableProjects;
  /** Tool that returns a project's context. */
  readonly contextTool: Tool;
}) {
  const { database, rights, governance, tools, publishedTools, calls, projects, contextTool } = deps;

  return {
    /** Lists the tools in the order in which clients use them. */
    list: async (caller: Caller, projectId: number, query: ListQuery): Promise<Page<McpTool>> => {
      await rights.require(database, caller, projectId, 'Read');
      const global = await findSettings(database, null);
      const projectSettings = await findSettings(database, projectId);
      const settings = effectiveValues(governance, global.values, projectSettings.values);
      const page = pageRequest(query, { sortable: {}, byDefault: '', unique: 'name' });
      const project = await projects.find(caller, projectId);
      const all = [...tools, ...(project ? await publishedTools.list([project]) : [])];
      const items = all.slice(page.offset, page.offset + page.limit).map((tool) => ({
        name: tool.name,
        title: tool.title,
        description: settings.toolDescriptions[tool.name] ?? tool.description,
        inputSchema: plainSchema(tool.input),
        isEnabled: settings.isEnabled && !settings.disabledTools.includes(tool.name),
      }));
      return pageOf(items, all.length, page);
    },

    /** Returns the context that a client requests first, for users of the web pages and for REST clients. */
    context: async (
      caller: Caller,
      projectId: number,
      signal: AbortSignal,
    ): Promise<{ context: string; isCut: boolean }> => {
      await rights.require(database, caller, projectId, 'Read');
      const project = await projects.find(caller, projectId);
      if (!project) throw notFound();
      const callerId = `mcp ${callerKeyOf(caller)}`;
      const call = { caller, project, callerId, signal, touch: () => undefined };
      const { text, structured } = await contextTool.run({} as never, call);
      return { context: text, isCut: structured['isCut'] === true };
    },

    run: async (
      facts: CallFacts,
      input: { toolName: string; projectId: number; arguments?: Readonly<Record<string, unknown>> },
    ): Promise<McpToolResult> => {
      await rights.require(database, facts.caller, input.projectId, 'Read');
      const isCommon = calls.has(input.toolName);
      const published = isCommon ? undefined : await publishedTools.find(input.toolName, facts.caller);
      // The tool of a published query belongs to one project, so it takes no project id.
      if (!isCommon && published?.project.id !== input.projectId) throw notFound();
      const projectArgument = isCommon ? { project_id: input.projectId } : {};
      const result = await calls.call(
        input.toolName,
        { ...input.arguments, ...projectArgument },
        facts,
        'Playground',
      );
      return {
        isError: result.isError,
        text: result.text,
        structuredContent: result.structured && { ...result.structured },
        rowCount: result.rowCount,
        resultBytes: result.resultBytes,
        executionTimeMs: result.executionTimeMs,
      };
    },
  };
}
