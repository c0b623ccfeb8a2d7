import { McpServer } from '@modelcontextprotocol/server';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { expect } from 'vitest';
import { anonymousCaller, type Caller } from '../../../packages/server/src/platform/access/index.ts';
import { createServing } from '../../../packages/server/src/platform/mcp/index.ts';
import { scenario } from '../support/scenario.ts';

const key = (scopes: readonly ('Read' | 'Execute')[]): Caller => ({
  ...anonymousCaller,
  kind: 'apiKey',
  userId: 1,
  role: 'Editor',
  apiKeyId: 1,
  scopes: new Set(scopes),
});

scenario(
  ['ID-5.7-12'],
  'the MCP layer refuses a Read key without the help of the route',
  async ({ onEnd }) => {
    const serving = createServing({
      factory: () => new McpServer({ name: 'bare', version: '1' }),
      log: pino({ level: 'silent' }),
    });
    const app = fastify();
    onEnd(() => app.close());
    let caller = key(['Read']);
    app.post('/bare', (request, reply) =>
      serving.answer(request, reply, {
        caller,
        clientAddress: '127.0.0.1',
        traceId: '0',
        signal: new AbortController().signal,
        client: 'bare',
        method: undefined,
      }),
    );
    const send = (method: string) =>
      app.inject({ method: 'POST', url: '/bare', payload: { jsonrpc: '2.0', id: 1, method } });
    for (const method of ['initialize', 'ping', 'tools/list', 'tools/call'])
      expect((await send(method)).statusCode).not.toBe(200);
    expect((await send('ping')).body).toContain('This operation requires the Execute scope.');
    caller = key(['Read', 'Execute']);
    expect((await send('ping')).json()).toMatchObject({ result: {} });
  },
);
