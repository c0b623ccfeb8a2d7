import { createHttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createUser, password } from '@svc/testkit/people/users.ts';
import { type RunningService, setupToken, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const request = {
  setupToken: setupToken,
  userName: 'first',
  displayName: 'First',
  email: 'first@example.org',
  password: password,
  confirmPassword: password,
};
const setup = '/svc/api/setup/superadmin';

describe('the open setup', () => {
  let svc: RunningService;
  beforeAll(async () => {
    svc = await startService();
  });
  afterAll(() => svc.close());
  const post = (change: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    createHttpClient(svc.origin).post(setup, { ...request, ...change }, { headers });

  test('returns its status and the roles without sign-in', async () => {
    const client = createHttpClient(svc.origin);
    expect((await client.get('/svc/api/setup/status')).body).toEqual({ isOpen: true });
    const { body } = await client.get('/svc/api/setup/roles');
    expect(body.totalCount).toBe(9);
    expect(body.items[0]).toMatchObject({ name: 'Admin', level: 3, kind: 'Global' });
  });

  test.each(['/svc/api/health', '/svc/api/auth/me', '/svc/api/csrf', '/svc/api/nowhere', '/svc/home'])(
    'redirects %s to the setup page',
    async (path) => {
      const answer = await createHttpClient(svc.origin).get(path);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/svc/setup']);
    },
  );

  test('refuses invalid input with 400 and the code of the error', async () => {
    const codes = [];
    for (const change of [
      { confirmPassword: 'Another-password-1' },
      { email: 'nobody' },
      { password: 'Password1!', confirmPassword: 'Password1!' },
      { password: 'lower-case-1', confirmPassword: 'lower-case-1' },
      { password: 'Sh0rt!x', confirmPassword: 'Sh0rt!x' },
      { userName: 'ab' },
      { more: 1 },
    ]) {
      const answer = await post(change);
      codes.push([answer.status, answer.body.code]);
    }
    expect(codes).toEqual([
      [400, 'passwords-differ'],
      [400, 'invalid-email'],
      [400, 'weak-password'],
      [400, 'weak-password'],
      [400, 'weak-password'],
      [400, 'invalid-input'],
      [400, 'invalid-input'],
    ]);
  });

  test('refuses a wrong token and a request from another site with 403', async () => {
    expect(await post({ setupToken: 'x'.repeat(40) })).toMatchObject({ status: 403 });
    expect(await post({}, { origin: 'https://evil.example' })).toMatchObject({ status: 403 });
    expect(await post({}, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 });
  });

  test('refuses a form with 415', async () => {
    const answer = await fetch(svc.origin + setup, {
      method: 'POST',
      body: new URLSearchParams(request),
    });
    expect(answer.status).toBe(415);
  });

  test('refuses the eleventh attempt from one address within a minute with 429', async () => {
    const client = createHttpClient(svc.origin);
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt += 1)
      statuses.push((await client.post(setup, { ...request, setupToken: 'wrong' })).status);
    expect(statuses).toEqual([...Array(10).fill(403), 429]);
    const answer = await client.post(setup, request);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('closing the setup', () => {
  let svc: RunningService;
  beforeAll(async () => {
    svc = await startService();
  });
  afterAll(() => svc.close());

  test('of many simultaneous requests exactly one succeeds, also across replicas, and the others get 409 or 400', async () => {
    const replica = await startService({ on: svc });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        createHttpClient(index % 2 ? svc.origin : replica.origin).post(setup, {
          ...request,
          userName: `racer${index % 4}`,
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status !== 201 && status !== 409 && status !== 400)).toEqual([]);
    const { rows } = await svc.database.query(
      `select is_super_admin, roles.names from svc.users u,
        lateral (select array_agg(role) as names from svc.user_roles where user_id = u.id) roles`,
    );
    expect(rows).toEqual([{ is_super_admin: true, names: ['Admin'] }]);
    const { rows: events } = await svc.database.query('select event from svc.audit_events');
    expect(events).toEqual([{ event: 'setup.completed' }]);
    await replica.close();
  });

  test('is permanent: every later attempt gets 400, also on a replica that starts later', async () => {
    const replica = await startService({ on: svc });
    for (const change of [{}, { setupToken: 'wrong' }, { password: '' }]) {
      const answer = await createHttpClient(replica.origin).post(setup, { ...request, ...change });
      expect(answer.status).toBe(400);
    }
    const client = createHttpClient(replica.origin);
    expect((await client.get('/svc/api/setup/status')).body).toEqual({ isOpen: false });
    expect((await client.get('/svc/api/health')).status).toBe(200);
    await replica.close();
  });

  test('hides the roles from callers who are not signed in: 401', async () => {
    expect((await createHttpClient(svc.origin).get('/svc/api/setup/roles')).status).toBe(401);
    await createUser(svc.database, 'norole');
    expect((await (await signIn(svc, 'norole')).get('/svc/api/setup/roles')).status).toBe(200);
  });
});

describe('the setup token', () => {
  test('is generated and reported once if none is configured, and is never logged', async () => {
    const tokens: string[] = [];
    const svc = await startService({
      config: { 'Svc:UserManagement:SetupToken': undefined },
      svc: { onSetupToken: (token) => tokens.push(token) },
    });
    const [token = ''] = tokens;
    expect(tokens).toHaveLength(1);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const answer = await createHttpClient(svc.origin).post(setup, { ...request, setupToken: token });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ userName: 'first', isSuperAdmin: true, roles: ['Admin'] });
    expect(answer.text).not.toContain('hash');
    expect(JSON.stringify(svc.log)).not.toContain(token);
    await svc.close();
  });

  test('is not reported if it is configured, or after the setup is closed', async () => {
    const tokens: string[] = [];
    const onSetupToken = (token: string) => tokens.push(token);
    const svc = await startService({ svc: { onSetupToken } });
    await setUp(svc);
    const replica = await startService({
      on: svc,
      config: { 'Svc:UserManagement:SetupToken': undefined },
      svc: { onSetupToken },
    });
    expect(tokens).toEqual([]);
    await replica.close();
    await svc.close();
  });
});

test('without user management the setup does not exist, and the service works without it', async () => {
  const svc = await startService({ config: { 'Svc:UserManagement:Enabled': false } });
  const client = createHttpClient(svc.origin);
  expect((await client.get('/svc/api/setup/status')).status).toBe(404);
  expect((await client.post('/svc/api/auth/login', { username: 'x', password: 'y' })).status).toBe(404);
  expect((await client.get('/svc/api/health')).status).toBe(200);
  await svc.close();
});
