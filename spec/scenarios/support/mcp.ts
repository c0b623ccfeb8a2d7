import type { Answer, HttpClient } from '@svc/testkit/client/http-client.ts';

/** Header that AI clients of each protocol version send. */
const headers = { accept: 'application/json, text/event-stream' };

/** Sends one message to the MCP endpoint. */
export const sendMcp = (client: HttpClient, method: string, params?: unknown): Promise<Answer> =>
  client.post(
    '/svc/mcp',
    { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) },
    { headers },
  );

/** Sends the first message of a client that opens a session, in an older protocol version. */
export const openMcp = (client: HttpClient): Promise<Answer> =>
  sendMcp(client, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'scenario', version: '1' },
  });

/** Result of a tool call. */
export type ToolResult = {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown> | undefined;
};

/** Calls a tool. Throws for any status except 200. */
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
