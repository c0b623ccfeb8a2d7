import type { RoleName } from '@svc/contract';
import { addUser, setUp, setupRequest, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { password } from '@svc/testkit/people/users.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const login = '/svc/api/auth/login';
const credentials = { username: superAdmin.userName, password: superAdmin.password, rememberMe: false };

scenario(
  ['ID-2.2-01', 'ID-2.2-02', 'ID-2.2-03', 'ID-1-06', 'ID-4-06'],
  'a user name and a password sign a user in without a token, and set the session cookie',
  async ({ svc }) => {
    for (const rememberMe of [false, true]) {
      const browser = svc.client();
      const answer = await browser.post(login, { ...credentials, rememberMe }, { antiforgery: false });
      expect(answer.status, answer.text).toBe(200);
      expect(browser.cookies.has('Svc.Auth')).toBe(true);
      const me = await browser.get('/svc/api/auth/me');
      expect(me.body).toMatchObject({ isAuthenticated: true, userName: superAdmin.userName });
    }
  },
);

scenario(
  ['ID-5.8-01', 'ID-5.8-02', 'ID-0-01'],
  'the session cookie Svc.Auth is HttpOnly and SameSite=Lax, and Secure if the request used HTTPS',
  async ({ svc }) => {
    const cookieOf = async (headers: Record<string, string>) => {
      const answer = await svc.client().post(login, credentials, { headers });
      return answer.setCookies.find((cookie) => cookie.startsWith('Svc.Auth=')) ?? '';
    };
    const overHttp = await cookieOf({});
    expect(overHttp).toMatch(/;\s*HttpOnly/i);
    expect(overHttp).toMatch(/;\s*SameSite=Lax/i);
    expect(overHttp).not.toMatch(/;\s*Secure/i);
    expect(await cookieOf({ 'x-forwarded-proto': 'https' })).toMatch(/;\s*Secure/i);
  },
);

scenario(
  ['ID-5.2-07', 'ID-8-01', 'ID-4-08', 'ID-7-16', 'RT-4.2-06', 'RT-7-08', 'RT-8-04'],
  'one address can attempt ten sign-ins a minute, and the eleventh gets 429 with Retry-After',
  async ({ svc }) => {
    const guesser = svc.client();
    for (let attempt = 1; attempt <= 10; attempt++) {
      const answer = await guesser.post(login, { ...credentials, password: `wrong ${attempt}` });
      expect([attempt, answer.status]).toEqual([attempt, 401]);
    }
    const answer = await guesser.post(login, credentials);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await svc.client().post(login, credentials)).status).toBe(200);
  },
);

scenario(['ID-5.2-08'], 'a forwarded address is used only if the proxy is trusted', async ({ start }) => {
  const svc = await start({ 'Svc:ForwardedHeaders:KnownProxies': [] });
  await setUp(svc);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 12; attempt++)
    statuses.push((await svc.client().post(login, { ...credentials, password: 'wrong' })).status);
  expect(statuses.at(-1)).toBe(429);
});

scenario(
  ['ID-4-09', 'RT-4.2-07'],
  'signing out ends the session of the caller and needs no credential',
  async ({ svc }) => {
    expect((await svc.client().post('/svc/api/auth/logout')).status).toBeLessThan(300);
    const browser = await signIn(svc, superAdmin);
    const other = await signIn(svc, superAdmin);
    const stolen = browser.cookies.get('Svc.Auth') ?? '';
    expect((await browser.post('/svc/api/auth/logout')).status).toBeLessThan(300);
    const replay = await svc
      .client()
      .get('/svc/api/auth/permissions', { headers: { cookie: `Svc.Auth=${stolen}` } });
    expect(replay.status).toBe(401);
    expect((await other.get('/svc/api/auth/permissions')).status).toBe(200);
  },
);

scenario(
  ['ID-3.3-03', 'RT-4.2-08'],
  'signing out everywhere ends every session of the user and no other session',
  async ({ svc }) => {
    const person = await addUser(svc, 'everywhere', ['Editor']);
    const first = await signIn(svc, person);
    const second = await signIn(svc, person);
    const root = await signIn(svc, superAdmin);
    expect((await first.post('/svc/api/auth/logout?everywhere=true')).status).toBeLessThan(300);
    for (const browser of [first, second])
      expect((await browser.get('/svc/api/auth/permissions')).status).toBe(401);
    expect((await root.get('/svc/api/auth/permissions')).status).toBe(200);
  },
);

scenario(
  ['ID-4-10', 'RT-4.2-03', 'ID-4-01'],
  'the current session and the single sign-on settings are available without a credential',
  async ({ svc }) => {
    const anonymous = await svc.client().get('/svc/api/auth/me');
    expect([anonymous.status, anonymous.body]).toEqual([
      200,
      expect.objectContaining({ isAuthenticated: false }),
    ]);
    const sso = await svc.client().get('/svc/api/auth/sso');
    expect([sso.status, sso.body]).toEqual([200, expect.objectContaining({ enabled: false })]);
  },
);

scenario(
  ['ID-4-13', 'RT-2-05', 'RT-4.3-07'],
  'a signed-in user can read their own permissions',
  async ({ svc, root }) => {
    const of = async (name: string, roles: RoleName[]) => {
      const browser = await signIn(svc, await addUser(svc, name, roles));
      return (await browser.get('/svc/api/auth/permissions')).body;
    };
    const none = {
      canRead: false,
      canWrite: false,
      isAdmin: false,
      permissions: [],
      migrationsEnabled: false,
    };
    expect(await of('perm-none', [])).toEqual(none);
    expect(await of('perm-viewer', ['Viewer'])).toEqual({ ...none, canRead: true });
    expect(await of('perm-editor', ['Editor'])).toEqual({ ...none, canRead: true, canWrite: true });
    expect(await of('perm-auditor', ['Auditor'])).toEqual({ ...none, permissions: ['Auditor'] });
    expect((await root.get('/svc/api/auth/permissions')).body).toMatchObject({
      canRead: true,
      canWrite: true,
      isAdmin: true,
    });
    expect((await svc.client().get('/svc/api/auth/permissions')).status).toBe(401);
  },
);

scenario(
  ['ID-2.3-01', 'ID-2.3-02', 'ID-4-14'],
  'any caller gets an antiforgery token with its cookie; a caller with an Authorization header gets 400',
  async ({ svc }) => {
    const answer = await svc.client().get('/svc/api/csrf');
    expect([answer.status, answer.body]).toEqual([200, { token: expect.any(String) }]);
    expect(answer.setCookies.length).toBeGreaterThan(0);
  },
);

scenario(
  ['ID-2.3-03', 'ID-5.8-08', 'RT-4.3-03'],
  'a change in a cookie session needs the antiforgery token of the same browser',
  async ({ svc }) => {
    const browser = await signIn(svc, superAdmin);
    const stranger = await signIn(svc, superAdmin);
    const foreign = (await stranger.get('/svc/api/csrf')).read<{ token: string }>().token;
    await browser.get('/svc/api/csrf');
    const project = { name: 'Guarded', description: 'd' };
    const without = await browser.post('/svc/api/projects', project, { antiforgery: false });
    const other = await browser.post('/svc/api/projects', project, { headers: { 'x-xsrf-token': foreign } });
    const made = await browser.post('/svc/api/projects', project, { headers: { 'x-xsrf-token': 'x' } });
    for (const refused of [without, other, made]) expect([400, 403]).toContain(refused.status);
    expect((await browser.post('/svc/api/projects', project)).status).toBe(201);
  },
);

scenario(
  ['ID-5.2-02', 'ID-2.6-02', 'ID-8-02', 'ID-5.2-03', 'ID-2.6-03'],
  'a new password needs eight characters of mixed kinds, unless the policy differs',
  async ({ start }) => {
    const attempt = async (settings: Record<string, unknown>, text: string) => {
      const svc = await start(settings);
      const answer = await svc.client().post('/svc/api/setup/superadmin', {
        ...setupRequest,
        password: text,
        confirmPassword: text,
      });
      return answer.status;
    };
    expect(await attempt({}, 'aB3$efg')).toBe(400);
    expect(await attempt({}, 'aB3$efgh')).toBeLessThan(300);
    expect(await attempt({}, 'abcdefghijkq')).toBe(400);
    const svc = await start();
    for (const text of ['qzwxjk7$', 'QZWXJK7$', 'qzWXjkv$', 'qzWXjkv7']) {
      const body = { ...setupRequest, password: text, confirmPassword: text };
      const answer = await svc.client().post('/svc/api/setup/superadmin', body);
      expect([text, answer.status, answer.body.code]).toEqual([text, 400, 'weak-password']);
    }
    const root = await setUp(svc);
    for (const [path, body] of [
      ['/svc/api/users/internal', { userName: 'plain', password: 'qzwxjkvpgh', roles: ['Viewer'] }],
      ['/svc/api/user-settings/change-password', { currentPassword: password, newPassword: 'qzwxjkvpgh' }],
    ] as const) {
      const answer = await root.post(path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'weak-password']);
    }
    const longer = { 'Svc:UserManagement:Password:MinimumPasswordLength': 12 };
    expect(await attempt(longer, 'aB3$efghijk')).toBe(400);
    const simple = { 'Svc:UserManagement:Password:RequirePasswordComplexity': false };
    expect(await attempt(simple, 'qzwxjkvpgh')).toBeLessThan(300);
  },
);

scenario(
  ['ID-2.6-16'],
  'the password policy comes from the configuration of the host, and no request can change it',
  async ({ start }) => {
    const svc = await start({ 'Svc:UserManagement:Password:MinimumPasswordLength': 16 });
    const root = await setUp(svc);
    const settings = '/svc/api/admin-settings';
    expect((await root.get(settings)).text).not.toMatch(/password(length|complexity|policy)/i);
    for (const setting of ['minimumPasswordLength', 'MinimumPasswordLength', 'requirePasswordComplexity'])
      expect((await root.put(settings, { [setting]: 4 })).status).toBe(400);
    const short = { currentPassword: password, newPassword: 'aB3$efghijklmno' };
    expect((await root.post('/svc/api/user-settings/change-password', short)).status).toBe(400);
    const long = { ...short, newPassword: `${short.newPassword}p` };
    expect((await root.post('/svc/api/user-settings/change-password', long)).status).toBeLessThan(300);
  },
);

scenario(
  ['ID-5.2-01', 'ID-8-03'],
  'a stored password hash uses PBKDF2-SHA256 with 100,000 iterations and a salt of 32 bytes',
  async ({ svc }) => {
    const [user] = await svc.sql<{ hash: string }>(
      "select password_hash as hash from svc.users where user_name = 'root'",
    );
    const parts = (user?.hash ?? '').split('$').filter(Boolean);
    expect(parts[0]).toMatch(/pbkdf2[-_]sha256/i);
    expect(user?.hash).toMatch(/100000/);
    expect(parts.map((part) => Buffer.from(part, 'base64').length)).toContain(32);
    expect(user?.hash).not.toContain(password);
  },
);
