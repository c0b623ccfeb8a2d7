import { randomBytes } from 'node:crypto';
import { setUp, setupRequest, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { expect, vi } from 'vitest';
import { scenario } from '../support/scenario.ts';

const superadminRoute = '/svc/api/setup/superadmin';

scenario(
  ['ID-2.1-01', 'ID-3.1-01', 'ID-4-03', 'RT-4.2-11'],
  'the correct token and a valid body create the first super admin and close setup',
  async ({ start }) => {
    const svc = await start();
    const answer = await svc.client().post(superadminRoute, setupRequest);
    expect(answer.status, answer.text).toBeLessThan(300);
    const root = await signIn(svc, superAdmin);
    const me = await root.get('/svc/api/auth/me');
    expect(me.body).toMatchObject({ isAuthenticated: true, userName: superAdmin.userName });
    const [user] = await svc.sql('select is_super_admin, email, display_name from svc.users');
    expect(user).toEqual({
      is_super_admin: true,
      email: setupRequest.email,
      display_name: setupRequest.displayName,
    });
  },
);

scenario(
  ['ID-3.1-02', 'ID-3.1-05', 'RT-4.2-13'],
  'after setup has closed, it answers 400 to every request and never opens again',
  async ({ start }) => {
    const svc = await start();
    const wrong = await svc.client().post(superadminRoute, { ...setupRequest, setupToken: 'x'.repeat(40) });
    expect(wrong.status).toBe(403);
    const root = await setUp(svc);
    for (const body of [setupRequest, { ...setupRequest, setupToken: 'x'.repeat(40), userName: 'second' }]) {
      const again = await svc.client().post(superadminRoute, body);
      expect(again.status, again.text).toBe(400);
    }
    await svc.sql("update svc.users set is_enabled = false, archived_at = now(), user_name = 'gone'");
    const replica = await svc.replica();
    const later = await replica.client().post(superadminRoute, setupRequest);
    expect(later.status).toBe(400);
    expect((await root.get('/svc/api/setup/status')).status).toBe(200);
  },
);

scenario(['ID-3.1-03'], 'a wrong setup token answers 403 and leaves setup open', async ({ start }) => {
  const svc = await start();
  const refused = await svc.client().post(superadminRoute, { ...setupRequest, setupToken: 'x'.repeat(40) });
  expect(refused.status).toBe(403);
  expect(refused.headers.get('content-type')).toContain('application/problem+json');
  const accepted = await svc.client().post(superadminRoute, setupRequest);
  expect(accepted.status).toBeLessThan(300);
});

scenario(
  ['ID-3.1-04'],
  'of several simultaneous setups one succeeds, and the losers of the race get 409 or 400',
  async ({ start }) => {
    const svc = await start();
    const replica = await svc.replica();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        (index % 2 ? svc : replica)
          .client()
          .post(superadminRoute, { ...setupRequest, userName: `root${index}` }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses).toContain(409);
    expect(statuses.every((status) => status < 300 || status === 409 || status === 400)).toBe(true);
    const [count] = await svc.sql<{ users: number }>('select count(*)::int as users from svc.users');
    expect(count?.users).toBe(1);
  },
);

scenario(
  ['ID-4-04', 'RT-4.2-12', 'RT-8-05'],
  'setup requests are limited per client address',
  async ({ start }) => {
    const svc = await start();
    const guesser = svc.client();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 100 && statuses.at(-1) !== 429; attempt++) {
      const answer = await guesser.post(superadminRoute, { ...setupRequest, setupToken: 'x'.repeat(40) });
      statuses.push(answer.status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([403]));
    const other = await svc.client().post(superadminRoute, { ...setupRequest, setupToken: 'x'.repeat(40) });
    expect(other.status).toBe(403);
  },
);

scenario(
  ['ID-4-02', 'RT-4.2-10'],
  'the setup status is public, before and after setup closes, unless user management is off',
  async ({ start }) => {
    const svc = await start();
    const before = await svc.client().get('/svc/api/setup/status');
    await setUp(svc);
    const after = await svc.client().get('/svc/api/setup/status');
    expect([before.status, before.body]).toEqual([200, { isOpen: true }]);
    expect([after.status, after.body]).toEqual([200, { isOpen: false }]);
    const userless = await start({ 'Svc:UserManagement:Enabled': false });
    expect((await userless.client().get('/svc/api/setup/status')).status).toBe(404);
  },
);

scenario(
  ['ID-4-05', 'RT-4.2-14'],
  'the roles for the setup page are public only while setup is open',
  async ({ start }) => {
    const svc = await start();
    const before = await svc.client().get('/svc/api/setup/roles');
    expect(before.status).toBe(200);
    expect(before.text).toContain('Editor');
    await setUp(svc);
    expect((await svc.client().get('/svc/api/setup/roles')).status).toBe(401);
  },
);

scenario(
  ['ID-5.1-01', 'ID-5.1-02', 'ID-5.1-03', 'RT-4.2-20'],
  'until an administrator exists, all routes except setup and discovery redirect to the setup page',
  async ({ start }) => {
    const svc = await start();
    const sent = [
      '/svc',
      '/svc/',
      '/svc/home',
      '/svc/login',
      '/svc/api/health',
      '/svc/api/auth/me',
      '/svc/api/auth/sso',
      '/svc/api/csrf',
      '/svc/api/projects',
      '/svc/api/nowhere',
    ]; // prettier-ignore
    for (const path of sent) {
      const answer = await svc.client().get(path);
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 302, '/svc/setup']);
    }
    const login = await svc
      .client()
      .post('/svc/api/auth/login', { username: 'a', password: 'b', rememberMe: false });
    expect([login.status, login.headers.get('location')]).toEqual([302, '/svc/setup']);
    const withKey = await svc
      .client(`Bearer sk-sem_${randomBytes(24).toString('hex')}`)
      .get('/svc/api/projects');
    expect([withKey.status, withKey.headers.get('location')]).toEqual([302, '/svc/setup']);
    for (const path of ['/svc/api/setup/status', '/svc/api/setup/roles'])
      expect([path, (await svc.client().get(path)).status]).toEqual([path, 200]);
  },
);

scenario(
  ['ID-5.1-05', 'ID-5.1-06', 'ID-5.1-07'],
  'without a configured token, each process prints a token to its error stream and does not log it',
  async ({ start }) => {
    const printed: string[] = [];
    const spy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      printed.push(String(chunk));
      return true;
    });
    try {
      const svc = await start({ 'Svc:UserManagement:SetupToken': undefined });
      await svc.client().get('/svc/api/setup/status');
      const replica = await svc.replica();
      await replica.client().get('/svc/api/setup/status');
      const lines = printed
        .join('')
        .split('\n')
        .filter((line) => /first-run setup token/i.test(line));
      const tokens = lines.map((line) => line.split(/\s+/).findLast((word) => word.length >= 32) ?? '');
      expect(tokens).toHaveLength(2);
      expect(new Set(tokens).size).toBe(2);
      expect(JSON.stringify([...svc.log, ...replica.log])).not.toContain(tokens[0]);
      expect(JSON.stringify([...svc.log, ...replica.log])).not.toContain(tokens[1]);
      const answer = await replica.client().post(superadminRoute, { ...setupRequest, setupToken: tokens[1] });
      expect(answer.status, answer.text).toBeLessThan(300);
    } finally {
      spy.mockRestore();
    }
  },
);

scenario(
  ['ID-5.1-04', 'ID-5.1-08'],
  'a configured setup token works on every instance, and can be removed from the settings after setup',
  async ({ start }) => {
    const svc = await start();
    const replica = await svc.replica();
    expect((await replica.client().post(superadminRoute, setupRequest)).status).toBeLessThan(300);
    const later = await svc.replica({ 'Svc:UserManagement:SetupToken': undefined });
    await signIn(later, superAdmin);
  },
);

scenario(
  ['ID-2.6-01', 'ID-8-04'],
  'a configured setup token of fewer than 32 characters prevents the start, and the error names its setting',
  async ({ start }) => {
    await expect(start({ 'Svc:UserManagement:SetupToken': 'x'.repeat(31) })).rejects.toThrow(
      'Svc:UserManagement:SetupToken',
    );
    await start({ 'Svc:UserManagement:SetupToken': 'x'.repeat(32) });
  },
);
