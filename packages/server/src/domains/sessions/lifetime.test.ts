import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createUser, password, setRoles } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const permissions = '/svc/api/auth/permissions';
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let svc: RunningService;
let strict: RunningService;
let nowMs = Date.now();
const clock = { now: () => new Date(nowMs) };

beforeAll(async () => {
  svc = await startService({ svc: { clock } });
  await setUp(svc);
  strict = await startService({
    on: svc,
    config: { 'Svc:Authentication:Session:RevalidateMinutes': 0 },
    svc: { clock },
  });
});
afterAll(async () => {
  await strict.close();
  await svc.close();
});

const statusOf = async (client: HttpClient, path = permissions) => (await client.get(path)).status;
/** Returns the same browser on the other service: cookies do not depend on ports. */
const on = (other: RunningService, client: HttpClient): HttpClient => {
  const same = createHttpClient(other.origin);
  for (const [name, value] of client.cookies) same.cookies.set(name, value);
  return same;
};
const renewStamp = (userId: number, change: string) =>
  svc.database.query(`update svc.users set security_stamp = gen_random_uuid(), ${change} where id = $1`, [
    userId,
  ]);

describe('lifetime', () => {
  test.each([false, true])(
    'a session ends 12 hours after sign-in; remember-me (%s) does not extend it',
    async (rememberMe) => {
      await createUser(svc.database, `lifetime${rememberMe}`, 'Viewer');
      const client = createHttpClient(svc.origin);
      const answer = await client.post('/svc/api/auth/login', {
        username: `lifetime${rememberMe}`,
        password: password,
        rememberMe,
      });
      const [cookie = ''] = answer.headers.getSetCookie().filter((line) => line.startsWith('Svc.Auth='));
      const expires = /Expires=([^;]+)/.exec(cookie)?.[1];
      expect(expires && Math.round(Date.parse(expires) / 1_000)).toBe(
        rememberMe ? Math.floor((nowMs + 12 * hourMs) / 1_000) : undefined,
      );
      for (let hour = 1; hour < 12; hour += 1) {
        nowMs += hourMs;
        expect(await statusOf(client)).toBe(200);
      }
      nowMs += hourMs - 1;
      expect(await statusOf(client)).toBe(200);
      nowMs += 1;
      expect(await statusOf(client)).toBe(401);
    },
  );
});

describe('revalidation', () => {
  test.each([
    ['a renewed stamp', 'email = email'],
    ['a disabled user', 'is_enabled = false'],
    ['an archived user', 'archived_at = now()'],
  ])(
    '%s ends the session at the next check, and immediately with an interval of 0 minutes',
    async (name, change) => {
      const userName = name.replaceAll(' ', '-');
      const id = await createUser(svc.database, userName, 'Viewer');
      const client = await signIn(svc, userName);
      const other = on(strict, await signIn(svc, userName));
      await renewStamp(id, change);
      expect(await statusOf(other)).toBe(401);
      nowMs += 5 * minuteMs - 1;
      expect(await statusOf(client, '/svc/api/api-keys/admin')).toBe(403);
      nowMs += 1;
      expect(await statusOf(client, '/svc/api/api-keys/admin')).toBe(401);
      // An ended session remains ended, also before its next check.
      expect(await statusOf(client)).toBe(401);
      await renewStamp(id, 'is_enabled = true, archived_at = null');
      expect(await statusOf(client)).toBe(401);
    },
  );

  test('a valid session is checked again after one interval, not sooner', async () => {
    const id = await createUser(svc.database, 'in-order', 'Viewer');
    const client = await signIn(svc, 'in-order');
    nowMs += 5 * minuteMs;
    expect(await statusOf(client)).toBe(200);
    const checkedAt = async () =>
      (await svc.database.query('select checked_at from svc.sessions where user_id = $1', [id])).rows[0]
        .checked_at;
    await expect.poll(checkedAt).toEqual(new Date(nowMs));
    await renewStamp(id, 'email = email');
    nowMs += 5 * minuteMs - 1;
    expect(await statusOf(client)).toBe(200);
    nowMs += 1;
    expect(await statusOf(client)).toBe(401);
  });
});

describe('rights between two checks', () => {
  test('a demoted user has the new rights immediately: 403 on the administrators’ key routes', async () => {
    const id = await createUser(svc.database, 'demoted', ['Viewer', 'UserAdmin']);
    const client = await signIn(svc, 'demoted');
    expect(await statusOf(client, '/svc/api/api-keys/admin')).toBe(200);
    await setRoles(svc.database, id, ['Viewer']);
    await renewStamp(id, 'email = email');
    expect(await statusOf(client, '/svc/api/api-keys/admin')).toBe(403);
    expect(await statusOf(client, '/svc/api/projects')).toBe(200);
  });

  test('a disabled user is signed out immediately: 403 on the administrators’ key routes, 401 on other routes', async () => {
    const id = await createUser(svc.database, 'stopped', 'Admin');
    const client = await signIn(svc, 'stopped');
    await renewStamp(id, 'is_enabled = false');
    const answers = {
      '/svc/api/api-keys/admin': 403,
      '/svc/api/api-keys/admin/1/uses': 403,
      '/svc/api/api-keys': 401,
      '/svc/api/projects': 401,
    };
    for (const [path, status] of Object.entries(answers))
      expect(await statusOf(client, path), path).toBe(status);
    expect((await client.get('/svc/api/auth/me')).body).toMatchObject({ isAuthenticated: false });
    expect((await client.delete('/svc/api/api-keys/admin/1')).status).toBe(403);
    const input = { name: 'k', scopes: ['Read'], allowedProjectIds: [1] };
    expect((await client.post('/svc/api/api-keys', input)).status).toBe(401);
  });

  test('a session of a disabled user does not become valid again when the user is enabled', async () => {
    const root = await signIn(svc, 'root');
    const id = await createUser(svc.database, 'paused', 'Admin');
    const client = await signIn(svc, 'paused');
    for (const _disabledThenEnabled of [1, 2])
      expect((await root.post(`/svc/api/users/${id}/toggle-enabled`)).status).toBeLessThan(300);
    expect(await statusOf(client)).toBe(401);
    expect(await statusOf(await signIn(svc, 'paused'))).toBe(200);
  });
});

test('a cookie without a valid session gets 401', async () => {
  const client = createHttpClient(svc.origin);
  for (const value of ['A'.repeat(43), '', 'x', `${'A'.repeat(42)}=`, 'A'.repeat(4_000)]) {
    client.cookies.set('Svc.Auth', value);
    expect(await statusOf(client)).toBe(401);
  }
});
