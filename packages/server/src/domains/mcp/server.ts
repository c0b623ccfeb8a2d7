import {
  type CallToolResult,
  type Implementation,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import type { Logger } from '../../platform/log/index.ts';
import {
  type CallCancellation,
  createFastPath,
  createOrdinaryCalls,
  type FastPath,
  type McpFacts,
} from '../../platform/mcp/index.ts';
import type { Calls } from './calls/calls.ts';
import type { CallFacts } from './calls/run-tool.ts';
import { baseInstructions, promptDefinitions, promptText } from './context/prompts.ts';
import type { Resources } from './context/resources.ts';
import type { UsableProjects } from './projects/usable-projects.ts';
import { plainSchema, readOnlyAnnotations, type Tool } from './tools/index.ts';
import type { PublishedTools } from './tools/published-tools.ts';

export type McpServerDeps = {
  readonly version: string;
  readonly log: Logger;
  readonly tools: readonly Tool[];
  readonly publishedTools: PublishedTools;
  readonly calls: Calls;
  readonly projects: UsableProjects;
  readonly resources: Resources;
  readonly cancellation: CallCancellation;
  /** Returns the settings for all projects that supplement the built-in texts. */
  readonly texts: () => Promise<{
    readonly instruction: string | null;
    readonly toolDescriptions: Readonly<Record<string, string>>;
  }>;
};

/** Lists depend on the caller: clients may cache them briefly, shared caches may not. */
const cacheHint = { ttlMs: 30_000, cacheScope: 'private' } as const;
/** Forbids caching, because queries can be published and withdrawn at any time without a notification. */
const neverKept = { ttlMs: 0, cacheScope: 'private' } as const;
const cacheHints = {
  'tools/list': neverKept,
  'prompts/list': cacheHint,
  'resources/list': neverKept,
  'resources/templates/list': cacheHint,
  'resources/read': neverKept,
  'server/discover': cacheHint,
} as const;

/** Returns the server's description of itself. */
const serverInfoOf = (version: string): Implementation => ({ name: 'svc', title: 'Svc', version });

type CallingDeps = Pick<McpServerDeps, 'calls' | 'cancellation' | 'log'>;

/**
 * Returns the function that calls a tool for a message of the fast path or of the SDK. `cancelled` aborts the call. An
 * unexpected error, such as a failed audit write, is replaced by a generic text. The SDK would forward its message to
 * the client.
 */
const callFor =
  ({ calls, cancellation, log }: CallingDeps) =>
  async (
    message: { id: string | number; name: string; arguments: Readonly<Record<string, unknown>> },
    facts: McpFacts,
    cancelled: AbortController,
  ): Promise<CallToolResult> => {
    const forget = cancellation.note(facts.client, message.id, () => cancelled.abort());
    try {
      const result = await calls.call(
        message.name,
        message.arguments,
        // Only `readEarly` sets this member.
        { ...facts, signal: cancelled.signal, project: facts.early as CallFacts['project'] },
        'Client',
      );
      return {
        content: [{ type: 'text', text: result.text }],
        ...(result.structured && { structuredContent: result.structured }),
        ...(result.isError && { isError: true }),
      };
    } catch (error) {
      const { traceId } = facts;
      log.error({ err: error, traceId, tool: message.name }, 'an MCP call could not be answered');
      throw new Error(`Something went wrong on our side. The trace id ${traceId} leads to it in the log.`);
    } finally {
      forget();
    }
  };

/** Creates the fast path for tool calls that do not need the SDK. */
export const createToolsFastPath = (deps: CallingDeps & Pick<McpServerDeps, 'version'>): FastPath =>
  createFastPath({
    messages: createOrdinaryCalls({ has: deps.calls.has, server: serverInfoOf(deps.version) }),
    call: callFor(deps),
    readEarly: (call, caller) => deps.calls.readEarly(call.name, call.arguments, caller),
  });

/** Converts a tool to its entry in a list. */
const listedTool = ({ name, title, description, input, output, annotations }: Tool) => ({
  name,
  title,
  description,
  inputSchema: plainSchema(input) as { type: 'object' },
  outputSchema: plainSchema(output) as { type: 'object' },
  annotations: { title, ...readOnlyAnnotations, ...annotations },
});

/** Creates the function that builds the server of one request. A server contains only the state of that request. */
export function createMcpServers(deps: McpServerDeps) {
  const { tools, publishedTools, calls, projects, resources } = deps;
  const callTool = callFor(deps);
  const listed = tools.map(listedTool);

  return async (facts: McpFacts): Promise<Server> => {
    const isFirst = facts.method === 'initialize' || facts.method === 'server/discover';
    const more = isFirst ? (await deps.texts()).instruction : null;
    const server = new Server(serverInfoOf(deps.version), {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: more === null ? baseInstructions : `${baseInstructions}\n\n${more}`,
      cacheHints,
    });

    server.setRequestHandler('tools/list', async () => {
      const usable = await projects.list(facts.caller);
      const { toolDescriptions } = await deps.texts();
      // A tool that is disabled in every project of the caller is not listed.
      const isOffered = (name: string) =>
        usable.length === 0 || usable.some(({ settings }) => !settings.disabledTools.includes(name));
      const common = listed
        .filter(({ name }) => isOffered(name))
        .map((tool) => ({ ...tool, description: toolDescriptions[tool.name] ?? tool.description }));
      const published = await publishedTools.list(usable);
      return { tools: [...common, ...published.map(listedTool)] };
    });

    server.setRequestHandler('tools/call', async ({ params }, context) => {
      if (facts.failure) throw facts.failure.error;
      if (!calls.has(params.name) && !(await publishedTools.find(params.name, facts.caller)))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool called ${params.name}.`);
      const cancelled = new AbortController();
      const onEnd = () => cancelled.abort();
      for (const signal of [facts.signal, context.mcpReq.signal])
        if (signal.aborted) onEnd();
        else signal.addEventListener('abort', onEnd, { once: true });
      const message = { id: context.mcpReq.id, name: params.name, arguments: params.arguments ?? {} };
      return callTool(message, facts, cancelled);
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
