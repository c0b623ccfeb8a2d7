import type { Answer, HttpClient } from '@svc/testkit/client/http-client.ts';

/** The header that AI clients of every era send. */
const headers = { accept: 'application/json, text/event-stream' };

/** Sends one message to the MCP endpoint. */
export const sendMcp = (client: HttpClient, method: string, params?: unknown): Promise<Answer> =>
  client.post(
    '/svc/mcp',
    { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) },
    { headers },
  );

/** The first message of a client that opens a session, of the older era. */
export const openMcp = (client: HttpClient): Promise<Answer> =>
  sendMcp(client, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'scenario', version: '1' },
  });

/** What a tool answered. */
export type ToolResult = {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown> | undefined;
};

/** Calls a tool. */
export async function callTool(client: HttpClient, name: string, args: object = {}): Promise<ToolResult> {
  const answer = await sendMcp(client, 'tools/call', { name, arguments: args });
  if (answer.status !== 200) throw new Error(`${name} answered ${answer.status} ${answer.text}`);
  const { result } = answer.read<{
    result: {
      isError?: boolean;
      content: { text: string }[];
      structuredContent?: Record<string, unknown>;
    };
  }>();
  return {
    isError: result.isError ?? false,
    text: result.content[0]?.text ?? '',
    structured: result.structuredContent,
  };
}
