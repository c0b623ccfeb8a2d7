import { createHttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const permissions = '/svc/api/auth/permissions';
let svc: RunningService;
let honouring: RunningService;

/** Simulates a host that trusts a header. */
const principal = (request: { headers: Record<string, string | string[] | undefined> }) => {
  const [id, ...roles] = String(request.headers['x-host-user'] ?? '').split(' ');
  return id ? { id, userName: `name of ${id}`, roles } : null;
};
const off = { 'Svc:UserManagement:Enabled': false, 'Svc:Authentication:ExternalLogin:LoginUrl': '/login' };

beforeAll(async () => {
  svc = await startService({ config: off, svc: { principal } });
  honouring = await startService({
    on: svc,
    config: { ...off, 'Svc:Authorization:Roles:HonourHostRoleClaims': true },
    svc: { principal },
  });
});
afterAll(async () => {
  await honouring.close();
  await svc.close();
});

const as = (user: string, on = svc, headers: Record<string, string> = {}) => {
  const client = createHttpClient(on.origin);
  const request = { headers: { 'x-host-user': user, ...headers } };
  return {
    get: (path: string) => client.get(path, request),
    post: (path: string, body: unknown) => client.post(path, body, request),
  };
};

test.each([
  ['u1 Viewer', true, false, false],
  ['u1 Editor', true, true, false],
  ['u1 Viewer Admin', true, true, true],
  ['u1 Other', false, false, false],
  ['u1 viewer', false, false, false],
])('the role claims of %s determine the rights', async (user, canRead, canWrite, isAdmin) => {
  expect((await as(user).get(permissions)).body).toMatchObject({ canRead, canWrite, isAdmin });
});

test('only Admin grants functional permissions, unless the settings honour role claims', async () => {
  const permissionsOf = async (user: string, on = svc) =>
    (await as(user, on).get(permissions)).body.permissions;
  expect(await permissionsOf('u1 Viewer Auditor')).toEqual([]);
  expect(await permissionsOf('u1 Admin')).toHaveLength(6);
  expect(await permissionsOf('u1 Viewer Auditor', honouring)).toEqual(['Auditor']);
  expect((await as('u1 Auditor', honouring).get('/svc/api/mcp/audit')).status).toBe(200);
  expect((await as('u1 Auditor').get('/svc/api/mcp/audit')).status).toBe(403);
});

test('a caller whom the host does not identify gets 401, and the sign-in address of the host', async () => {
  const client = createHttpClient(svc.origin);
  expect((await client.get(permissions)).status).toBe(401);
  expect((await client.get('/svc/api/auth/me')).body).toMatchObject({
    isAuthenticated: false,
    externalLogin: { loginUrl: '/login' },
  });
  expect((await as('u1 Editor').get('/svc/api/auth/me')).body).toMatchObject({
    isAuthenticated: true,
    userName: 'name of u1',
    userId: null,
    roles: ['Editor'],
  });
});

test('the principal of the host takes precedence over an API key, even an invalid one', async () => {
  const answer = await as('u1 Editor', svc, { authorization: 'Bearer sk-sem_bad' }).get(permissions);
  expect(answer.status).toBe(200);
});

test('API keys require a stored user: a user of the host gets 403', async () => {
  expect((await as('u1 Admin').get('/svc/api/api-keys')).status).toBe(403);
});

describe('antiforgery', () => {
  const project = { name: 'By host', description: '' };
  const change = async (headers: Record<string, string>) =>
    (await as('u1 Editor', svc, headers).post('/svc/api/projects', project)).status;

  test('a request with cookies or from another site needs the token', async () => {
    expect(await change({ cookie: 'host-session=1' })).toBe(400);
    expect(await change({ 'sec-fetch-site': 'cross-site' })).toBe(400);
    expect(await change({ cookie: 'host-session=1', authorization: 'Basic eDp5' })).toBe(400);
    const client = createHttpClient(svc.origin);
    const headers = { 'x-host-user': 'u1 Editor' };
    const { token } = (await client.get('/svc/api/csrf', { headers })).body;
    const answer = await client.post('/svc/api/projects', project, {
      headers: { ...headers, 'x-xsrf-token': token },
    });
    expect(answer.status).toBe(201);
    const stranger = { 'x-host-user': 'u2 Editor', 'x-xsrf-token': token };
    expect((await client.post('/svc/api/projects', project, { headers: stranger })).status).toBe(400);
  });

  test('a request of a program needs no token', async () => {
    expect(await change({})).toBe(201);
    expect(await change({ cookie: 'x=1', authorization: 'Bearer token-of-the-host' })).toBe(201);
  });
});

describe('the membership source', () => {
  let sourceResult: unknown = [];
  let on: RunningService;
  let project: number;
  beforeAll(async () => {
    const memberships = () => {
      if (sourceResult instanceof Error) throw sourceResult;
      return sourceResult as never;
    };
    on = await startService({ config: off, svc: { principal, memberships } });
    const answer = await as('root Admin', on).post('/svc/api/projects', { name: 'Closed', description: '' });
    project = answer.body.projectId;
    await on.database.query("update svc.projects set access_mode = 'Restricted'");
  });
  afterAll(() => on.close());
  const read = async (user = 'u1 Editor') => (await as(user, on).get(`/svc/api/projects/${project}`)).status;

  test('of several memberships of one project, the highest role counts', async () => {
    sourceResult = [
      { projectId: project, role: 'ProjectAdmin' },
      { projectId: project, role: 'Viewer' },
    ];
    const { body } = await as('u1 Editor', on).get(`/svc/api/projects/${project}`);
    expect(body).toMatchObject({ right: 'Manage' });
  });

  test.each([
    [[{ projectId: 'x', role: 'Editor' }]],
    [[{ projectId: 0, role: 'Editor' }]],
    [[{ projectId: 1.5, role: 'Editor' }]],
    [[{ projectId: 1, role: 'Owner' }]],
    [[{ projectId: 1, role: '__proto__' }]],
  ])('ignores an invalid membership: %j', async (entries) => {
    sourceResult = entries;
    expect(await read()).toBe(404);
  });

  test.each([new Error('down'), null, {}])(
    'refuses all callers with 503 if the source fails',
    async (failure) => {
      sourceResult = failure;
      expect(await read()).toBe(503);
      expect(await read('root Admin')).toBe(503);
    },
  );
});
