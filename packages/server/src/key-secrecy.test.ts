import { createHash } from 'node:crypto';
import { type Answer, createHttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createUser, password } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/**
 * A key is returned once, to its creator. The tests use it, misuse it and send it to wrong places, and then search
 * all data.
 */
let svc: RunningService;
let key: { id: number; plainTextKey: string; prefix: string };
const answers: [string, Answer][] = [];
const projects = '/svc/api/projects';
const prefixLength = 16;

beforeAll(async () => {
  svc = await startService({ config: { 'Svc:Logging:Level': 'trace' } });
  await setUp(svc);
  await createUser(svc.database, 'owner', 'Editor');
});
afterAll(() => svc.close());

const remember = async (what: string, request: Promise<Answer>): Promise<Answer> => {
  const answer = await request;
  answers.push([what, answer]);
  return answer;
};

/** Returns every row of every table of the service and of its job library, as text. */
async function storedTexts(): Promise<string[]> {
  const { rows: tables } = await svc.database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(30);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await svc.database.query<{ text: string }>(`select t::text as text from ${name} t`);
    texts.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return texts;
}

/** A list accepts any page, and MCP answers an unknown method within its own protocol. */
const answered = new Set(['the query of a list', 'an unknown MCP method']);
const isRefusal = (status: number) => status >= 400 && status < 500;

const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });

test('a key appears in no log, event, URL or table, and only in the answer that created it', async () => {
  const owner = await signIn(svc, 'owner');
  const project = (await owner.post(projects, { name: 'Of a key', description: '' })).body.projectId;
  const created = await owner.post('/svc/api/api-keys', {
    name: 'Secret',
    scopes: ['Execute'],
    allowedProjectIds: [project],
  });
  expect(created.status).toBe(201);
  key = created.body;
  const text = key.plainTextKey;
  expect([...created.headers].join()).not.toContain(text.slice(prefixLength));

  const client = createHttpClient(svc.origin, `Bearer ${text}`);
  const stranger = createHttpClient(svc.origin);
  const good: [string, Promise<Answer>][] = [
    ['a list', client.get(projects)],
    ['a change', client.patch(`${projects}/${project}`, { description: 'Changed' })],
    ['me', client.get('/svc/api/auth/me')],
    ['permissions', client.get('/svc/api/auth/permissions')],
    ['the list of keys', owner.get('/svc/api/api-keys')],
    ['the explanation', owner.get(`/svc/api/api-keys/${key.id}/explanation`)],
    ['the API document', owner.get('/openapi/v1.json')],
    [
      'MCP',
      client.post(
        '/svc/mcp',
        rpc('initialize', {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        }),
        { headers: { accept: 'application/json, text/event-stream' } },
      ),
    ],
  ];
  for (const [what, request] of good)
    expect([what, (await remember(what, request)).status]).toEqual([what, 200]);

  const inQuery = encodeURIComponent(text);
  const refused: [string, Promise<Answer>][] = [
    ['an administrative route', client.get('/svc/api/users')],
    ['the routes of keys', client.get('/svc/api/api-keys')],
    ['another project', client.get(`${projects}/999999`)],
    ['malformed JSON', client.send('POST', projects, undefined, { headers: { 'x-note': text } })],
    ['an unknown member', client.post(projects, { name: 'x', description: '', key: text })],
    ['a member of the wrong kind', client.post(projects, { name: [text], description: '' })],
    ['an antiforgery token', client.get('/svc/api/csrf')],
    ['a changed key', createHttpClient(svc.origin, `Bearer ${text}x`).get(projects)],
    ['another scheme', createHttpClient(svc.origin, `Basic ${text}`).get(projects)],
    ['two keys', createHttpClient(svc.origin, `Bearer ${text}, Bearer ${text}`).get(projects)],
    ['the query', stranger.get(`${projects}?access_token=${inQuery}&sort=${inQuery}&search=${inQuery}`)],
    ['the query of a list', client.get(`${projects}?page=${inQuery}`)],
    ['the path', stranger.get(`${projects}/${text}`)],
    ['an unknown path', stranger.get(`/svc/api/${text}`)],
    ['an unknown page', stranger.get(`/svc/${text}`)],
    ['a header of its own', stranger.get(projects, { headers: { 'x-api-key': text } })],
    ['a cookie', stranger.get(projects, { headers: { cookie: `Svc.Auth=${text}` } })],
    ['a user name', stranger.post('/svc/api/auth/login', { username: text, password: password })],
    ['a password', stranger.post('/svc/api/auth/login', { username: 'owner', password: text })],
    ['a setup token', stranger.post('/svc/api/setup/superadmin', { setupToken: text })],
    ['the MCP query', stranger.post(`/svc/mcp?key=${inQuery}`, rpc('ping', {}))],
    ['an unknown MCP method', client.post('/svc/mcp', rpc(text, {}))],
    ['the hub', client.post('/svc/api/hub/negotiate?negotiateVersion=1', undefined)],
  ];
  for (const [what, request] of refused) {
    const { status } = await remember(what, request);
    expect([what, status]).toEqual([what, answered.has(what) ? 200 : expect.toSatisfy(isRefusal)]);
  }

  await svc.database.query('alter table svc.projects rename to projects_gone');
  expect((await remember('a failure', client.get(projects))).status).toBe(500);
  await svc.database.query('alter table svc.projects_gone rename to projects');
  await owner.delete(`/svc/api/api-keys/${key.id}`);
  expect((await remember('after revocation', client.get(projects))).status).toBe(401);

  const secret = text.slice(prefixLength);
  const hash = createHash('sha256').update(text).digest();
  const hashes = (['hex', 'base64', 'base64url'] as const).map((encoding) => hash.toString(encoding));
  const answerTexts = answers.map(
    ([what, { headers, text: body }]) => `${what}: ${[...headers].join('\n')}\n${body}`,
  );
  const logged = svc.log.map((entry) => JSON.stringify(entry));
  expect(logged.length).toBeGreaterThan(5);
  // Last uses and denials are written after the requests.
  await expect
    .poll(async () => (await storedTexts()).filter((row) => row.startsWith('svc.api_key_uses')).length)
    .toBeGreaterThan(0);
  const stored = await storedTexts();
  for (const place of [...answerTexts, ...logged, ...stored]) expect(place).not.toContain(secret);
  const isKeyRow = (place: string) => place.startsWith('svc.api_keys:');
  for (const place of [...answerTexts, ...logged, ...stored.filter((row) => !isKeyRow(row))])
    for (const text of hashes) expect(place).not.toContain(text);
}, 240_000);
