import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { createUser, password } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const login = '/svc/api/auth/login';
const me = '/svc/api/auth/me';
let svc: RunningService;
let root: HttpClient;
let editorId: number;

beforeAll(async () => {
  svc = await startService();
  root = await setUp(svc);
  editorId = await createUser(svc.database, 'editor', 'Editor');
});
afterAll(() => svc.close());

const attempt = (username: string, password: string, client = createHttpClient(svc.origin)) =>
  client.post(login, { username, password });
const events = async (event: string) =>
  (await svc.database.query('select * from svc.audit_events where event = $1 order by id', [event])).rows;

describe('200', () => {
  test('a successful sign-in returns the user, sets the session cookie and is audited', async () => {
    const client = createHttpClient(svc.origin);
    const answer = await client.post(login, { username: 'EDITOR', password: password });
    expect(answer).toMatchObject({
      status: 200,
      body: { isAuthenticated: true, userId: editorId, userName: 'editor', roles: ['Editor'] },
    });
    const [cookie] = answer.headers.getSetCookie().filter((line) => line.startsWith('Svc.Auth='));
    expect(cookie).toMatch(/^Svc\.Auth=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await client.get(me)).body).toMatchObject({ userName: 'editor', isAuthenticated: true });
    expect((await events('auth.sign_in')).at(-1)).toMatchObject({
      subject_id: editorId,
      detail: { method: 'Password', userName: 'editor' },
    });
    const { rows } = await svc.database.query('select last_signed_in_at from svc.users where id = $1', [
      editorId,
    ]);
    expect(rows[0].last_signed_in_at).toBeInstanceOf(Date);
  });

  test('the cookie is Secure over TLS', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const answer = await createHttpClient(svc.origin).post(
      login,
      { username: 'editor', password: password },
      { headers },
    );
    const cookies = answer.headers.getSetCookie();
    expect(cookies.find((line) => line.startsWith('Svc.Auth='))).toMatch(/; Secure/);
    expect(cookies.find((line) => line.startsWith('__Host-Svc.Antiforgery='))).toMatch(
      /Path=\/; HttpOnly; Secure/,
    );
  });

  test('the session token is neither stored nor logged, and the password is not logged', async () => {
    const client = await signIn(svc, 'editor');
    const token = client.cookies.get('Svc.Auth') ?? '';
    const { rows } = await svc.database.query("select string_agg(s::text, ' ') as text from svc.sessions s");
    expect(rows[0].text).not.toContain(token);
    expect(JSON.stringify(svc.log)).not.toContain(token);
    expect(JSON.stringify(svc.log)).not.toContain(password);
  });

  test('the session id changes at each sign-in, and the earlier session of that browser ends', async () => {
    const client = await signIn(svc, 'editor');
    const before = client.cookies.get('Svc.Auth');
    expect((await attempt('editor', password, client)).status).toBe(200);
    expect(client.cookies.get('Svc.Auth')).not.toBe(before);
    const replayed = createHttpClient(svc.origin);
    replayed.cookies.set('Svc.Auth', before ?? '');
    expect((await replayed.get('/svc/api/auth/permissions')).status).toBe(401);
  });

  test('an anonymous caller is reported as not signed in, and SSO is not offered', async () => {
    const client = createHttpClient(svc.origin);
    expect(await client.get(me)).toMatchObject({
      status: 200,
      body: { isAuthenticated: false, userId: null, roles: [] },
    });
    expect((await client.get('/svc/api/auth/sso')).body).toEqual({
      enabled: false,
      displayName: null,
      localLoginEnabled: true,
      breakGlassEnabled: false,
      externalLogin: null,
    });
  });

  test('a super admin has all permissions, and a user without a role has none', async () => {
    expect((await root.get('/svc/api/auth/permissions')).body).toEqual({
      canRead: true,
      canWrite: true,
      isAdmin: true,
      permissions: [
        'Approver',
        'Auditor',
        'DataSourceAdmin',
        'MigrationOperator',
        'SecurityAdmin',
        'UserAdmin',
      ],
      migrationsEnabled: false,
    });
    await createUser(svc.database, 'roleless');
    expect((await (await signIn(svc, 'roleless')).get('/svc/api/auth/permissions')).body).toEqual({
      canRead: false,
      canWrite: false,
      isAdmin: false,
      permissions: [],
      migrationsEnabled: false,
    });
  });
});

describe('204', () => {
  test('signing out ends the session: its cookie is refused afterwards', async () => {
    const client = await signIn(svc, 'editor');
    const copy = createHttpClient(svc.origin);
    copy.cookies.set('Svc.Auth', client.cookies.get('Svc.Auth') ?? '');
    expect((await client.post('/svc/api/auth/logout', undefined, { antiforgery: false })).status).toBe(204);
    expect(client.cookies.has('Svc.Auth')).toBe(false);
    expect((await copy.get('/svc/api/auth/permissions')).status).toBe(401);
  });

  test('signing out everywhere ends every session of the user, and no session of another user', async () => {
    const [one, other] = [await signIn(svc, 'editor'), await signIn(svc, 'editor')];
    expect((await one.post('/svc/api/auth/logout?everywhere=true')).status).toBe(204);
    expect((await other.get('/svc/api/auth/permissions')).status).toBe(401);
    expect((await root.get('/svc/api/auth/permissions')).status).toBe(200);
    expect((await events('auth.signed_out_everywhere')).at(-1)).toMatchObject({ actor_user_id: editorId });
  });

  test('an anonymous caller may sign out', async () => {
    expect((await createHttpClient(svc.origin).post('/svc/api/auth/logout')).status).toBe(204);
  });
});

describe('400', () => {
  test.each([
    {},
    { username: '', password: 'x' },
    { username: ' ', password: 'x' },
    { username: 'x', password: '' },
  ])('refuses a blank sign-in: %o', async (body) => {
    expect((await createHttpClient(svc.origin).post(login, body)).status).toBe(400);
  });
});

describe('401', () => {
  test('returns the same response for every cause of a failed sign-in', async () => {
    await createUser(svc.database, 'disabled', 'Viewer');
    await createUser(svc.database, 'archived', 'Viewer');
    await svc.database.query("update svc.users set is_enabled = false where user_name = 'disabled'");
    await svc.database.query("update svc.users set archived_at = now() where user_name = 'archived'");
    await svc.database.query(
      "insert into svc.users (user_name, kind, issuer, subject) values ('external', 'External', 'https://idp', 's')",
    );
    const answers = await Promise.all([
      attempt('editor', 'Wrong-password-1'),
      attempt('nobody-of-that-name', password),
      attempt('disabled', password),
      attempt('archived', password),
      attempt('external', password),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 401, body: { detail: 'User name and password do not match.' } });
      expect(answer.headers.getSetCookie()).toEqual([]);
      const { traceId: _traceId, ...body } = answer.body;
      const { traceId: _other, ...first } = answers[0]?.body ?? {};
      expect(body).toEqual(first);
    }
    const [failure] = await events('auth.sign_in_failed');
    expect(failure).toMatchObject({ actor_kind: 'anonymous' });
    expect(JSON.stringify(await events('auth.sign_in_failed'))).not.toContain('nobody-of-that-name');
  });
});

describe('403', () => {
  test.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  ])('a page of another site cannot sign a user in or out: %o', async (headers) => {
    const client = createHttpClient(svc.origin);
    const body = { username: 'editor', password: password };
    expect((await client.post(login, body, { headers })).status).toBe(403);
    expect((await client.post('/svc/api/auth/logout', undefined, { headers })).status).toBe(403);
  });

  test('a page of the own site can sign a user in', async () => {
    const headers = { origin: svc.origin, 'sec-fetch-site': 'same-origin' };
    const body = { username: 'editor', password: password };
    expect((await createHttpClient(svc.origin).post(login, body, { headers })).status).toBe(200);
  });

  test('with a password that an administrator set, a user must change it before any other request', async () => {
    await createUser(svc.database, 'newcomer', 'Editor');
    await svc.database.query("update svc.users set must_change_password = true where user_name = 'newcomer'");
    const client = await signIn(svc, 'newcomer');
    expect((await client.get(me)).body.mustChangePassword).toBe(true);
    expect(await client.get('/svc/api/projects')).toMatchObject({
      status: 403,
      body: { code: 'password-change-required' },
    });
  });
});

describe('429', () => {
  test('the eleventh attempt from one address within a minute is refused on any replica, even with a valid password', async () => {
    const replica = await startService({ on: svc });
    const headers = { 'x-forwarded-for': '192.0.2.77' };
    const statuses = [];
    for (let count = 0; count < 10; count += 1) {
      const { origin } = count % 2 ? svc : replica;
      const answer = await createHttpClient(origin).post(
        login,
        { username: `u${count}`, password: 'x' },
        { headers },
      );
      statuses.push(answer.status);
    }
    expect(statuses).toEqual(Array(10).fill(401));
    for (const { origin } of [svc, replica]) {
      const answer = await createHttpClient(origin).post(
        login,
        { username: 'editor', password: password },
        { headers },
      );
      expect(answer.status).toBe(429);
      const seconds = Number(answer.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
    }
    expect((await attempt('editor', password)).status).toBe(200);
    await replica.close();
  });

  test('IPv6 clients are counted by their /64 network', async () => {
    const statuses = [];
    for (let count = 0; count < 11; count += 1) {
      const headers = { 'x-forwarded-for': `2001:db8:1:2::${count.toString(16)}` };
      statuses.push(
        (
          await createHttpClient(svc.origin).post(
            login,
            { username: `v${count}`, password: 'x' },
            { headers },
          )
        ).status,
      );
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });

  test('X-Forwarded-For of an unknown proxy is ignored', async () => {
    const direct = await startService({ on: svc, config: { 'Svc:ForwardedHeaders:KnownProxies': [] } });
    const statuses = [];
    for (let count = 0; count < 11; count += 1)
      statuses.push(
        (await createHttpClient(direct.origin).post(login, { username: `w${count}`, password: 'x' })).status,
      );
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    await direct.close();
  });
});

describe('password hashes', () => {
  const hashOf = async (userName: string): Promise<string> =>
    (await svc.database.query('select password_hash from svc.users where user_name = $1', [userName])).rows[0]
      .password_hash;

  test('are PBKDF2-SHA256 with 100,000 iterations and a salt of 32 bytes', async () => {
    const [algorithm, iterations, salt = '', hash = ''] = (await hashOf(superAdmin.userName)).split('$');
    expect([algorithm, iterations]).toEqual(['pbkdf2-sha256', '100000']);
    expect(Buffer.from(salt, 'base64')).toHaveLength(32);
    expect(Buffer.from(hash, 'base64')).toHaveLength(32);
  });

  test('are renewed with stronger parameters only at the next successful sign-in', async () => {
    await createUser(svc.database, 'rehashed', 'Viewer');
    const stronger = await startService({
      on: svc,
      config: { 'Svc:UserManagement:PasswordIterations': 120_000 },
    });
    await createHttpClient(stronger.origin).post(login, { username: 'rehashed', password: 'wrong' });
    expect(await hashOf('rehashed')).toMatch(/^pbkdf2-sha256\$100000\$/);
    await signIn(stronger, 'rehashed');
    expect(await hashOf('rehashed')).toMatch(/^pbkdf2-sha256\$120000\$/);
    await signIn(svc, 'rehashed');
    await stronger.close();
  });
});
