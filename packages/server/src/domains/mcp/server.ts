import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { CallCancellation, McpFacts } from '../../platform/mcp/index.ts';
import type { Calls } from './calls.ts';
import { baseInstructions, promptDefinitions, promptText } from './prompts.ts';
import type { Resources } from './resources.ts';
import { plainSchema, readOnlyAnnotations, type Tool } from './tools/index.ts';
import type { UsableProjects } from './usable-projects.ts';

export type McpServerDeps = {
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly calls: Calls;
  readonly projects: UsableProjects;
  readonly resources: Resources;
  readonly cancellation: CallCancellation;
  /** Settings for all projects: what is told beside the built-in texts. */
  readonly texts: () => Promise<{
    readonly instruction: string | null;
    readonly toolDescriptions: Readonly<Record<string, string>>;
  }>;
};

/** Lists depend on the caller; clients may keep them for a moment, shared caches may not. */
const cacheHint = { ttlMs: 30_000, cacheScope: 'private' } as const;
const cacheHints = {
  'tools/list': cacheHint,
  'prompts/list': cacheHint,
  'resources/list': cacheHint,
  'resources/templates/list': cacheHint,
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
  'server/discover': cacheHint,
} as const;

/** Makes the server instance of one request. It holds nothing but that request's caller. */
export function createMcpServers(deps: McpServerDeps) {
  const { tools, calls, projects, resources, cancellation } = deps;
  const listed = new Map(
    tools.map((tool) => [
      tool.name,
      {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        inputSchema: plainSchema(tool.input) as { type: 'object' },
        outputSchema: plainSchema(tool.output) as { type: 'object' },
        annotations: { title: tool.title, ...readOnlyAnnotations },
      },
    ]),
  );

  return async (facts: McpFacts): Promise<Server> => {
    const isFirst = facts.method === 'initialize' || facts.method === 'server/discover';
    const more = isFirst ? (await deps.texts()).instruction : null;
    const server = new Server(
      { name: 'svc', title: 'Svc', version: deps.version },
      {
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions: more === null ? baseInstructions : `${baseInstructions}\n\n${more}`,
        cacheHints,
      },
    );

    server.setRequestHandler('tools/list', async () => {
      const usable = await projects.list(facts.caller);
      const { toolDescriptions } = await deps.texts();
      // A tool that is off in every project of the caller is not offered.
      const isOffered = (name: string) =>
        usable.length === 0 || usable.some(({ settings }) => !settings.disabledTools.includes(name));
      return {
        tools: [...listed.values()]
          .filter(({ name }) => isOffered(name))
          .map((tool) => ({ ...tool, description: toolDescriptions[tool.name] ?? tool.description })),
      };
    });

    server.setRequestHandler('tools/call', async ({ params }, context) => {
      if (!calls.has(params.name))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool called ${params.name}.`);
      const own = new AbortController();
      const forget = cancellation.note(facts.client, context.mcpReq.id, () => own.abort());
      try {
        const result = await calls.call(
          params.name,
          params.arguments ?? {},
          { ...facts, signal: AbortSignal.any([facts.signal, context.mcpReq.signal, own.signal]) },
          'Client',
        );
        return {
          content: [{ type: 'text', text: result.text }],
          ...(result.structured && { structuredContent: { ...result.structured } }),
          ...(result.isError && { isError: true }),
        };
      } finally {
        forget();
      }
    });

    server.setRequestHandler('resources/list', async ({ params }) => resources.list(facts, params?.cursor));
    server.setRequestHandler('resources/templates/list', async () => resources.templates());
    server.setRequestHandler('resources/read', async ({ params }) => resources.read(facts, params.uri));
    server.setRequestHandler('prompts/list', async () => ({ prompts: [...promptDefinitions] }));
    server.setRequestHandler('prompts/get', async ({ params }) =>
      promptText(params.name, params.arguments ?? {}),
    );
    return server;
  };
}
