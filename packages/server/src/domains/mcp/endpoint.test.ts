import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { bearerSettings, issuer, tokenOf } from '@svc/testkit/people/access-token.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type McpFixture, startMcpFixture } from './testing/fixture.ts';

let fixture: McpFixture;
let key: string;

beforeAll(async () => {
  fixture = await startMcpFixture({
    config: {
      ...bearerSettings,
      'Svc:Authentication:Jwt:Validation:ValidIssuers': [issuer],
      // The first project of the fixture.
      'Svc:Mcp:Callers': {
        AllowedTenants: ['tenant-1'],
        Systems: [
          { Name: 'robot', ClientId: 'robot', ProjectIds: [1] },
          { Name: 'reader', ClientId: 'reader', ProjectIds: [1], Scope: 'Read' },
        ],
      },
    },
  });
  await fixture.offerAllQueries();
  key = (await fixture.key([fixture.sales])).authorization;
});
afterAll(() => fixture.close());

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const systemToken = (clientId: string, claims = {}) =>
  `Bearer ${tokenOf({ tid: 'tenant-1', sub: clientId, client_id: clientId, ...claims })}`;
const url = () => new URL(`${fixture.svc.origin}/svc/mcp`);
const authorized = (authorization: string) => ({ requestInit: { headers: { authorization } } });
const newClient = async (authorization: string, mode: 'auto' | '2026-07-28') => {
  const client = new Client(
    { name: 'new', version: '1' },
    { versionNegotiation: { mode: mode === 'auto' ? 'auto' : { pin: mode } } },
  );
  await client.connect(new StreamableHTTPClientTransport(url(), authorized(authorization)));
  return client;
};

describe('200', () => {
  test('a client of an older protocol revision is initialised without a session', async () => {
    const answer = await fixture.post(key, initialize);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.headers.get('mcp-session-id')).toBeNull();
    expect(answer.body.result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'svc' },
      capabilities: { tools: {} },
    });
    expect(answer.body.result.instructions).toContain('get_context');
  });

  test('tools are listed in a fixed order, with their hints and both schemas', async () => {
    const { body } = await fixture.post(key, list);
    expect(body.result.tools.map((tool: { name: string }) => tool.name)).toEqual([
      'get_context',
      'search',
      'get_documentation',
      'get_query_context',
      'search_saved_queries',
      'run_saved_query',
      'dry_run',
      'query',
      'ask',
      'feedback',
    ]);
    const hints = (tool: { name: string }) => ({
      readOnlyHint: tool.name !== 'feedback',
      destructiveHint: false,
      idempotentHint: tool.name !== 'ask',
      openWorldHint: false,
    });
    for (const tool of body.result.tools) {
      expect(tool.annotations).toMatchObject(hints(tool));
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
    }
  });

  test('the v1 client lists tools, calls one, reads resources and gets a prompt', async () => {
    const client = new OldClient({ name: 'old', version: '1' });
    await client.connect(new OldTransport(url(), authorized(key)));
    expect((await client.listTools()).tools).toHaveLength(10);
    const result = await client.callTool({ name: 'query', arguments: { sql: 'select 1 as one' } });
    expect(result.structuredContent).toMatchObject({ rows: [[1]] });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      `svc://projects/${fixture.sales}/data-sources/${fixture.salesSource}/schema`,
      `svc://projects/${fixture.sales}/queries/${fixture.savedQuery}`,
    ]);
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(JSON.stringify(contents)).toContain('orders');
    }
    const prompt = await client.getPrompt({ name: 'answer_question', arguments: { question: 'How many?' } });
    expect(JSON.stringify(prompt.messages)).toContain('How many?');
    await client.close();
  });

  test.each(['auto', '2026-07-28'] as const)(
    'the v2 client lists tools, calls one and lists resources in the newer protocol revision (%s)',
    async (mode) => {
      const client = await newClient(key, mode);
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
      expect((await client.listTools()).tools).toHaveLength(10);
      const result = await client.callTool({ name: 'query', arguments: { sql: 'select 2 as two' } });
      expect(result.structuredContent).toMatchObject({ rows: [[2]] });
      const { resources } = await client.listResources();
      expect(resources).toHaveLength(2);
      await client.close();
    },
  );

  test('a request that accepts any content type gets JSON', async () => {
    const answer = await fixture.post(key, list, { accept: '*/*' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('a system of the mapping can reach its own project and no other', async () => {
    const result = await fixture.call(systemToken('robot'), 'query', { sql: 'select 1 as one' });
    expect(result.structuredContent).toMatchObject({ rows: [[1]] });
    const other = await fixture.call(systemToken('robot'), 'get_context', { project_id: fixture.staff });
    expect(other.content[0]?.text).toBe(`Access denied for project ${fixture.staff}.`);
  });

  test('lists are marked as private to the caller for clients of the newer protocol revision', async () => {
    const client = await newClient(key, '2026-07-28');
    expect(await client.listTools()).toMatchObject({ cacheScope: 'private' });
    await client.close();
  });
});

const challenge = (answer: { headers: Headers }) => answer.headers.get('www-authenticate') ?? '';
const metadata = () =>
  `resource_metadata="${fixture.svc.origin}/.well-known/oauth-protected-resource/svc/mcp"`;

describe('400', () => {
  test('invalid JSON gets 400 with the parse error of JSON-RPC', async () => {
    for (const body of ['{', 'list', '[1,', '\u0000']) {
      const answer = await fixture.post(key, body);
      expect(answer).toMatchObject({
        status: 400,
        body: { jsonrpc: '2.0', id: null, error: { code: -32_700 } },
      });
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  test('headers that contradict the body get 400', async () => {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const answer = await fixture.post(
      key,
      { ...list, params: { _meta: envelope } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'prompts/list' },
    );
    expect(answer).toMatchObject({ status: 400, body: { error: { code: -32020 } } });
  });

  test('an unknown protocol revision gets 400', async () => {
    const answer = await fixture.post(
      key,
      { ...list, params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } } },
      { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' },
    );
    expect(answer.status).toBe(400);
  });
});

describe('401', () => {
  test('without credentials, the challenge names the document and the scope, and no error', async () => {
    for (const authorization of [undefined, 'Basic YTpi', 'Bearer'])
      expect(challenge(await fixture.post(authorization, initialize))).toBe(
        `Bearer scope="Execute", ${metadata()}`,
      );
  });

  test('a browser session is not accepted as a credential', async () => {
    const cookie = [...fixture.root.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    expect((await fixture.post(undefined, initialize, { cookie })).status).toBe(401);
  });

  test('an unknown, revoked or expired key and an invalid token get invalid_token', async () => {
    const revoked = await fixture.key([fixture.sales]);
    await fixture.svc.database.query('update svc.api_keys set revoked_at = now() where id = $1', [
      revoked.id,
    ]);
    const expired = await fixture.key([fixture.sales]);
    await fixture.svc.database.query(
      "update svc.api_keys set expires_at = now() - interval '1 second' where id = $1",
      [expired.id],
    );
    const now = Math.floor(Date.now() / 1_000);
    for (const authorization of [
      'Bearer sk-sem_unknown',
      revoked.authorization,
      expired.authorization,
      systemToken('robot', { aud: 'somebody-else' }),
      systemToken('robot', { exp: now - 3_600 }),
      systemToken('robot', { iss: 'https://elsewhere.example.com' }),
      `Bearer ${tokenOf({ tid: 'tenant-1', sub: 'robot', client_id: 'robot' }, { typ: 'JWT' })}`,
      'Bearer not.a.token',
    ]) {
      const answer = await fixture.post(authorization, initialize);
      expect(answer.status, authorization).toBe(401);
      expect(challenge(answer), authorization).toMatch(/^Bearer error="invalid_token", /);
      expect(challenge(answer)).toContain(metadata());
    }
  });
});

describe('403', () => {
  test('a Read key and a mapped caller with Read get insufficient_scope', async () => {
    const read = await fixture.key([fixture.sales], ['Read']);
    for (const authorization of [read.authorization, systemToken('reader')]) {
      const answer = await fixture.post(authorization, initialize);
      expect(answer.status).toBe(403);
      expect(challenge(answer)).toBe(`Bearer error="insufficient_scope", scope="Execute", ${metadata()}`);
    }
  });

  test('a token that the mapping does not know is refused without a challenge', async () => {
    for (const authorization of [
      systemToken('stranger'),
      systemToken('robot', { tid: 'tenant-2' }),
      `Bearer ${tokenOf({ tid: 'tenant-1' })}`,
    ]) {
      const answer = await fixture.post(authorization, initialize);
      expect(answer.status).toBe(403);
      expect(answer.headers.get('www-authenticate')).toBeNull();
    }
  });

  test('a request from another site is refused, and a request from the own origin is accepted', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
      const answer = await fixture.post(key, initialize, headers);
      expect(answer).toMatchObject({ status: 403, body: { code: 'origin-not-allowed' } });
    }
    expect((await fixture.post(key, initialize, { origin: fixture.svc.origin })).status).toBe(200);
  });
});

test('an invented method of a newer client gets 404 with the error of the protocol', async () => {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const answer = await fixture.post(
    key,
    { ...list, method: 'tools/invent', params: { _meta: envelope } },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/invent' },
  );
  expect(answer).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
});

test('every method except POST gets 405 with the header Allow', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(url(), { method, headers: { authorization: key } });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  }
});

test('a body that is too large gets 413, and a body that is not JSON gets 415', async () => {
  expect((await fixture.post(key, `"${'x'.repeat(1_100_000)}"`)).status).toBe(413);
  expect(
    (await fixture.post(key, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status,
  ).toBe(415);
});

describe('discovery', () => {
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(fixture.svc.origin + path, { headers });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
    const body: any = await response.json();
    return { status: response.status, headers: response.headers, body };
  };

  test('the resource document names the endpoint, its issuers and the single scope, at both addresses', async () => {
    const expected = {
      resource: `${fixture.svc.origin}/svc/mcp`,
      authorization_servers: ['https://idp.example.com'],
      scopes_supported: ['Execute'],
      bearer_methods_supported: ['header'],
    };
    for (const suffix of ['', '/svc/mcp']) {
      const answer = await read(`/.well-known/oauth-protected-resource${suffix}`);
      expect(answer).toMatchObject({ status: 200, body: expected });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  test('the server card is the same at both addresses and lists no tools', async () => {
    const one = await read('/.well-known/mcp/server-card.json', { authorization: 'Bearer whatever' });
    const other = await read('/svc/mcp/server-card');
    expect(one.body).toEqual(other.body);
    expect(one.headers.get('content-type')).toMatch(/^application\/mcp-server-card\+json/);
    expect(one.body).toMatchObject({
      name: 'dev.svc/mcp',
      remotes: [{ type: 'streamable-http', url: `${fixture.svc.origin}/svc/mcp` }],
    });
    expect(one.body.remotes[0].supportedProtocolVersions).toEqual(
      expect.arrayContaining(['2026-07-28', '2025-11-25']),
    );
    expect(one.body).not.toHaveProperty('tools');
  });
});
