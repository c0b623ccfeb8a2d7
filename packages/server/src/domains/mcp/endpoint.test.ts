import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type McpWorld, startMcpWorld } from './testing/mcp-world.ts';

let world: McpWorld;
let key: string;

beforeAll(async () => {
  world = await startMcpWorld();
  key = (await world.key([world.sales])).authorization;
});
afterAll(() => world.close());

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

describe('200', () => {
  test('a client of the older era is greeted without a session', async () => {
    const answer = await world.post(key, initialize);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.headers.get('mcp-session-id')).toBeNull();
    expect(answer.body.result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'svc' },
      capabilities: { tools: {} },
    });
    expect(answer.body.result.instructions).toContain('get_context');
  });

  test('tools are listed in a fixed order, each read-only, with both schemas', async () => {
    const { body } = await world.post(key, { jsonrpc: '2.0', id: 2, method: 'tools/list' });
    expect(body.result.tools.map((tool: { name: string }) => tool.name)).toEqual([
      'get_context',
      'search',
      'search_saved_queries',
      'run_saved_query',
      'dry_run',
      'query',
    ]);
    for (const tool of body.result.tools) {
      expect(tool.annotations).toMatchObject({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
    }
  });

  test('direct SQL answers rows, masked, in a frame', async () => {
    const result = await world.call(key, 'query', {
      sql: 'select id, email from customers order by id limit 2',
    });
    expect(result.structuredContent).toMatchObject({
      rows: [
        [1, 'c***m'],
        [2, 'c***m'],
      ],
      rowCount: 2,
      isTruncated: false,
    });
    expect(result.content[0]?.text).toContain('<data>\n');
  });
});
