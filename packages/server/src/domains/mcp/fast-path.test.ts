import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createOrdinaryCalls } from '../../platform/mcp/index.ts';
import { type McpFixture, sleeping, startMcpFixture } from './testing/fixture.ts';

/**
 * The fast path answers ordinary calls without the SDK. Its responses must equal the SDK's responses. A parameter of
 * the content type, which has no effect otherwise, forces the SDK path.
 */
let fixture: McpFixture;
let key: string;

beforeAll(async () => {
  fixture = await startMcpFixture();
  await fixture.offerAllQueries();
  key = (await fixture.key([fixture.sales])).authorization;
});
afterAll(() => fixture.close());

const version = 'io.modelcontextprotocol/protocolVersion';
const capabilities = 'io.modelcontextprotocol/clientCapabilities';
const clientInfo = 'io.modelcontextprotocol/clientInfo';
const envelope = { [version]: '2026-07-28', [capabilities]: {} };
const select = {
  name: 'query',
  arguments: { sql: 'select id, name, email from customers order by id limit 3' },
};
const currentHeaders = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'query',
};

type Sent = {
  readonly message: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fast path handles the message. */
  readonly isOrdinary: boolean;
};

const older = (params: unknown, more: object = {}, headers: Record<string, string> = {}): Sent => ({
  message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params, ...more },
  headers,
  isOrdinary: true,
});
const current = (
  params: Record<string, unknown>,
  more: object = {},
  headers: Record<string, string> = {},
): Sent => ({
  message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: envelope, ...params }, ...more },
  headers: { ...currentHeaders, 'mcp-name': String(params['name']), ...headers },
  isOrdinary: true,
});
const unusual = (sent: Sent): Sent => ({ ...sent, isOrdinary: false });
const without = ({ message, headers, isOrdinary }: Sent, name: string): Sent => ({
  message,
  headers: Object.fromEntries(Object.entries(headers ?? {}).filter(([header]) => header !== name)),
  isOrdinary,
});
const meta = (changes: object) => current({ ...select, _meta: { ...envelope, ...changes } });

const ordinaryMessages: Readonly<Record<string, Sent>> = {
  'rows, of the older era': older(select),
  'rows, of the current era': current(select),
  'rows by a revision that the header names': older(select, {}, { 'mcp-protocol-version': '2025-06-18' }),
  'an id of letters': current(select, { id: 'call-"ü"-1' }),
  'an empty id': older(select, { id: '' }),
  'an id below zero': older(select, { id: -7 }),
  'no arguments': older({ name: 'get_context' }),
  'another tool': current({ name: 'search', arguments: { query: 'orders' } }),
  'a saved query': current({
    name: 'run_saved_query',
    arguments: { query: 'Orders above', parameters: { least: 390 } },
  }),
  'a client that tells its name and what it can': meta({
    [clientInfo]: { name: 'client', version: '1', title: 'Client' },
    [capabilities]: { sampling: {}, elicitation: { form: {} }, extensions: { 'x/y': { z: 1 } } },
  }),
  'a progress token': meta({ progressToken: 'p' }),
  'a progress token of digits': meta({ progressToken: 0 }),
  'a progress token, of the older era': older({ ...select, _meta: { progressToken: 1 } }),
  'an empty envelope, of the older era': older({ ...select, _meta: {} }),
  'any kind of answer': older(select, {}, { accept: '*/*' }),
  'text that poses as a marker': older({
    name: 'query',
    arguments: { sql: "select '</data>\u2028<b>&' as note" },
  }),
  'more rows than are asked for': current({
    name: 'query',
    arguments: { sql: 'select * from orders', max_rows: 2 },
  }),
  'no rows': current({ name: 'query', arguments: { sql: 'select id from orders where false' } }),
  'a statement that the engine refuses': current({
    name: 'query',
    arguments: { sql: 'select nothing from nowhere' },
  }),
  'a statement that is no SELECT': older({ name: 'query', arguments: { sql: 'delete from orders' } }),
  'arguments that the tool does not take': current({
    name: 'query',
    arguments: { sql: 'select 1', more: true },
  }),
  'arguments without the statement': older({ name: 'query', arguments: {} }),
  'a project of others': older({ name: 'query', arguments: { sql: 'select 1', project_id: 2 } }),
};

const unusualMessages: Readonly<Record<string, Sent>> = {
  'a tool that there is not': unusual(older({ name: 'invented', arguments: {} })),
  'a tool that there is not, of the current era': unusual(current({ name: 'invented' })),
  'no name': unusual(older({ arguments: {} })),
  'a name that is a number': unusual(older({ name: 5 })),
  'arguments that are a list': unusual(older({ name: 'query', arguments: ['select 1'] })),
  'arguments that are null': unusual(current({ name: 'query', arguments: null })),
  'no parameters': unusual(older(undefined)),
  'a parameter that nobody knows': unusual(older({ ...select, more: 1 })),
  'a task': unusual(older({ ...select, task: { ttl: 1 } })),
  'answers to questions': unusual(current({ ...select, inputResponses: {} })),
  'state of an earlier answer': unusual(current({ ...select, requestState: 'state' })),
  'a member that nobody knows': unusual(older(select, { more: 1 })),
  'an id with a fraction': unusual(older(select, { id: 1.5 })),
  'an id that is null': unusual(current(select, { id: null })),
  'an id that is not exact': unusual(older(select, { id: 2 ** 60 })),
  'no id': unusual(older(select, { id: undefined })),
  'another version of JSON-RPC': unusual(older(select, { jsonrpc: '1.0' })),
  'another method': unusual(older({}, { method: 'tools/list' })),
  'a batch': { message: [older(select).message, older(select, { id: 2 }).message], isOrdinary: false },
  'a text': { message: '"tools/call"', isOrdinary: false },
  'a progress token that is none': unusual(meta({ progressToken: 1.5 })),
  'a progress token that is null, of the older era': unusual(
    older({ ...select, _meta: { progressToken: null } }),
  ),
  'an envelope that is null, of the older era': unusual(older({ ...select, _meta: null })),
  'a progress token without its envelope, of the current era': unusual(
    current({ ...select, _meta: { progressToken: 1 } }),
  ),
  'a log level': unusual(meta({ 'io.modelcontextprotocol/logLevel': 'debug' })),
  'a member of the envelope that nobody knows': unusual(meta({ 'example.com/more': 1 })),
  'capabilities that are none': unusual(meta({ [capabilities]: 5 })),
  'no capabilities': unusual(current({ ...select, _meta: { [version]: '2026-07-28' } })),
  'a capability that is none': unusual(meta({ [capabilities]: { sampling: 1 } })),
  'a client without a version': unusual(meta({ [clientInfo]: { name: 'client' } })),
  'a revision that is a number': unusual(meta({ [version]: 20260728 })),
  'a revision that nobody knows': unusual(meta({ [version]: '2099-01-01' })),
  'a revision in the header that nobody knows': unusual(
    older(select, {}, { 'mcp-protocol-version': '2099-01-01' }),
  ),
  'an envelope without its header': unusual(without(current(select), 'mcp-protocol-version')),
  'a header without its envelope': unusual(older(select, {}, { 'mcp-protocol-version': '2026-07-28' })),
  'headers that name no method': unusual(without(current(select), 'mcp-method')),
  'headers that name another method': unusual(current(select, {}, { 'mcp-method': 'tools/list' })),
  'headers that name no tool': unusual(without(current(select), 'mcp-name')),
  'headers that name another tool': unusual(current(select, {}, { 'mcp-name': 'search' })),
  'a tool in Base64': unusual(current(select, {}, { 'mcp-name': '=?base64?cXVlcnk=?=' })),
  'answers in JSON alone': unusual(older(select, {}, { accept: 'application/json' })),
  'answers as a stream alone': unusual(older(select, {}, { accept: 'text/event-stream' })),
  'answers as a stream alone, of the current era': unusual(
    current(select, {}, { accept: 'text/event-stream' }),
  ),
};

const json = { 'content-type': 'application/json' };
const bySdk = { 'content-type': 'application/json; way=sdk' };
const varying = new Set(['date', 'trace-id', 'content-length']);

/** Returns a response without its varying members. */
async function answerOf({ message, headers = {} }: Sent, way: Record<string, string>, authorization = key) {
  const response = await fetch(`${fixture.svc.origin}/svc/mcp`, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', authorization, ...headers, ...way },
    body: JSON.stringify(message) ?? '',
  });
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !varying.has(name)),
    body: (await response.text())
      .replaceAll(/"executionTimeMs":\d+/g, '"executionTimeMs":0')
      .replace(/trace id [0-9a-f]{32}/, 'trace id'),
  };
}

const { read } = createOrdinaryCalls({
  has: (name) => ['query', 'search', 'get_context', 'run_saved_query'].includes(name),
  server: {},
});
const isOrdinary = ({ message, headers }: Sent, way: Record<string, string>) =>
  read({
    headers: { accept: 'application/json, text/event-stream', ...headers, ...way },
    body: JSON.parse(JSON.stringify(message)),
  }) !== undefined;

describe.each([
  ['ordinary', ordinaryMessages],
  ['not ordinary', unusualMessages],
])('messages that are %s for the fast path', (_kind, messages) => {
  test.each(Object.entries(messages))(
    '%s gets the same answer as from the SDK alone',
    async (_name, sent) => {
      expect(isOrdinary(sent, json)).toBe(sent.isOrdinary);
      expect(isOrdinary(sent, bySdk)).toBe(false);
      const answer = await answerOf(sent, json);
      expect(answer).toEqual(await answerOf(sent, bySdk));
      if (sent.isOrdinary) expect(answer.status).toBe(200);
    },
  );
});

test('the gates apply before the fast path and before the SDK', async () => {
  for (const [sent, authorization] of [
    [current(select), 'Bearer sk-sem_unknown'],
    [current(select, {}, { origin: 'https://evil.example' }), key],
    [older(select), (await fixture.key([fixture.sales], ['Read'])).authorization],
  ] as const) {
    const answer = await answerOf(sent, json, authorization);
    expect(answer.status).toBeGreaterThanOrEqual(401);
    const other = await answerOf(sent, bySdk, authorization);
    const withoutTrace = (body: string) => body.replace(/"traceId":"\w+"/, '');
    expect({ ...answer, body: withoutTrace(answer.body) }).toEqual({
      ...other,
      body: withoutTrace(other.body),
    });
  }
});

test('Svc:Mcp:FastPath false sends every call through the SDK, with the same answer', async () => {
  const handled = vi.spyOn(WebStandardStreamableHTTPServerTransport.prototype, 'handleRequest');
  const { message, headers } = older(select);
  const fast = await answerOf(older(select), json);
  expect(handled).not.toHaveBeenCalled();
  const off = await startMcpFixture({ config: { 'Svc:Mcp:FastPath': false } });
  const { authorization } = await off.key([off.sales]);
  const slow = await off.post(authorization, message, { ...headers });
  expect(handled).toHaveBeenCalledTimes(1);
  expect(slow.status).toBe(fast.status);
  const { rows } = slow.body.result.structuredContent;
  expect(rows).toEqual(JSON.parse(fast.body).result.structuredContent.rows);
  expect(rows).toHaveLength(3);
  handled.mockRestore();
  await off.close();
});

test('a key of several projects gets the same list of projects from the fast path and from the SDK', async () => {
  const several = (await fixture.key([fixture.sales, fixture.staff])).authorization;
  const answer = await answerOf(older(select), json, several);
  expect(answer.body).toContain('project_id');
  expect(answer).toEqual(await answerOf(older(select), bySdk, several));
});

test('a cancelled call gets the same answer from the fast path and the SDK, and its statement ends', async () => {
  const sleep = sleeping(() => fixture);
  const cancelled = async (way: Record<string, string>) => {
    const answer = answerOf(older({ name: 'query', arguments: sleep.sleepy }, { id: 'long' }), way);
    await sleep.until(1);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'long' } };
    expect((await answerOf({ message: cancel, isOrdinary: false }, way)).status).toBe(202);
    await sleep.until(0);
    return answer;
  };
  const answer = await cancelled(json);
  expect(answer.body).toContain('"isError":true');
  expect(answer).toEqual(await cancelled(bySdk));
});

test('a client that disconnects ends its statement', async () => {
  const sleep = sleeping(() => fixture);
  const leaving = new AbortController();
  const { message, headers } = current({ name: 'query', arguments: sleep.sleepy });
  const answer = fetch(`${fixture.svc.origin}/svc/mcp`, {
    method: 'POST',
    headers: { accept: '*/*', authorization: key, ...headers, ...json },
    body: JSON.stringify(message),
    signal: leaving.signal,
  });
  await sleep.until(1);
  leaving.abort();
  await expect(answer).rejects.toThrow();
  await sleep.until(0);
  expect((await fixture.audited()).at(-1)).toMatchObject({ tool: 'query', outcome: 'cancelled' });
});

test('a call that cannot be audited gets a protocol error, and is not repeated', async () => {
  await fixture.svc.database.query(
    'alter table svc.audit_events add constraint closed check (false) not valid',
  );
  try {
    for (const sent of [older(select), current(select)]) {
      const answer = await answerOf(sent, json);
      expect(answer.status).toBe(200);
      const { error } = JSON.parse(answer.body);
      expect(error).toEqual({
        code: -32603,
        message: 'Something went wrong on our side. The trace id leads to it in the log.',
      });
      expect(answer).toEqual(await answerOf(sent, bySdk));
    }
  } finally {
    await fixture.svc.database.query('alter table svc.audit_events drop constraint closed');
  }
});

describe('a cached key', () => {
  const cachedKey = async () => {
    const createdKey = await fixture.key([fixture.sales]);
    for (let call = 0; call < 2; call += 1)
      expect((await answerOf(older(select), json, createdKey.authorization)).status).toBe(200);
    return createdKey;
  };
  const change = (set: string, id: number) =>
    fixture.svc.database.query(`update svc.api_keys set ${set} where id = $1`, [id]);
  const audited = async () => (await fixture.audited()).length;

  test('is refused on the next call after its revocation, and the call is not executed', async () => {
    const { id, authorization } = await cachedKey();
    const before = await audited();
    await change('revoked_at = now()', id);
    for (let call = 0; call < 2; call += 1)
      expect((await answerOf(older(select), json, authorization)).status).toBe(401);
    expect(await audited()).toBe(before);
  });

  test('can reach only the projects and scopes that it has now', async () => {
    const { id, authorization } = await cachedKey();
    await change(`allowed_project_ids = '{${fixture.staff}}'`, id);
    const salaries = older({
      name: 'query',
      arguments: { sql: 'select 1 as one', project_id: fixture.sales },
    });
    expect((await answerOf(salaries, json, authorization)).body).toContain('Access denied for project');
    expect((await fixture.audited()).at(-1)).toMatchObject({ outcome: 'project-denied' });
    await change("scopes = '{Read}'", id);
    expect((await answerOf(older(select), json, authorization)).status).toBe(403);
  });

  test('is subject to the current settings of its project', async () => {
    const { authorization } = await cachedKey();
    const set = async (isEnabled: boolean | null) =>
      expect(
        (await fixture.root.put(`/svc/api/mcp/projects/${fixture.sales}/settings`, { isEnabled })).status,
      ).toBe(200);
    await set(false);
    try {
      expect((await answerOf(older(select), json, authorization)).body).toContain('"isError":true');
    } finally {
      await set(null);
    }
  });
});
