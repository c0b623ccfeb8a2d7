import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addUser, setUp, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { password, setRoles } from '@svc/testkit/people/users.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';
import { movableClock } from '../support/time.ts';

const permissions = '/svc/api/auth/permissions';
const hour = 3_600_000;
const minute = 60_000;

scenario(
  ['ID-3.3-01', 'ID-2.6-09', 'ID-5.8-05', 'ID-5.8-06', 'ID-8-12'],
  'a session ends twelve hours after sign-in, regardless of its use and of remember-me',
  async ({ start }) => {
    const clock = movableClock();
    const svc = await start({}, { clock });
    await setUp(svc);
    const short = await signIn(svc, superAdmin);
    const remembered = svc.client();
    await remembered.post('/svc/api/auth/login', {
      username: superAdmin.userName,
      password: superAdmin.password,
      rememberMe: true,
    });
    for (let passed = 0; passed < 11; passed++) {
      clock.advance(hour);
      for (const browser of [short, remembered]) expect((await browser.get(permissions)).status).toBe(200);
    }
    clock.advance(hour + minute);
    for (const browser of [short, remembered]) expect((await browser.get(permissions)).status).toBe(401);
  },
);

scenario(
  ['ID-3.3-02', 'ID-5.8-03', 'ID-5.8-07'],
  'a change of roles, password or enabled state, or archiving, renews the security stamp and ends all sessions of the user',
  async ({ start }) => {
    const clock = movableClock();
    const svc = await start({}, { clock });
    const root = await setUp(svc);
    const newPassword = 'Another-password-2!';
    const changes: Record<string, (id: number, own: HttpClient) => Promise<{ status: number }>> = {
      roles: (id) => root.put(`/svc/api/users/${id}/roles`, { roles: ['Editor'] }),
      password: (_id, own) =>
        own.post('/svc/api/user-settings/change-password', { currentPassword: password, newPassword }),
      enabled: (id) => root.post(`/svc/api/users/${id}/toggle-enabled`),
      archived: (id) => root.delete(`/svc/api/users/${id}`),
    };
    for (const [change, make] of Object.entries(changes)) {
      const person = await addUser(svc, `changed-${change}`, ['Viewer']);
      const [browser, other] = [await signIn(svc, person), await signIn(svc, person)];
      const stamp = async () =>
        (await svc.sql('select security_stamp from svc.users where id = $1', [person.userId]))[0];
      const before = await stamp();
      const { status } = await make(person.userId, other);
      expect([change, status < 300]).toEqual([change, true]);
      expect(await stamp()).not.toEqual(before);
      clock.advance(5 * minute + 1_000);
      expect([change, (await browser.get(permissions)).status]).toEqual([change, 401]);
    }
  },
);

scenario(
  ['ID-2.6-07', 'ID-8-11', 'ID-5.8-04'],
  'a session is checked every five minutes, and the check reloads its roles',
  async ({ start }) => {
    const clock = movableClock();
    const svc = await start({}, { clock });
    await setUp(svc);
    const person = await addUser(svc, 'promoted', ['Viewer']);
    const browser = await signIn(svc, person);
    await setRoles(svc.database, person.userId, ['Editor']);
    clock.advance(5 * minute + 1_000);
    expect((await browser.get(permissions)).body).toMatchObject({ canWrite: true });
  },
);

scenario(['ID-2.6-08'], 'with an interval of 0, a session is checked at each request', async ({ start }) => {
  const svc = await start({ 'Svc:Authentication:Session:RevalidateMinutes': 0 });
  await setUp(svc);
  const person = await addUser(svc, 'watched', ['Viewer']);
  const browser = await signIn(svc, person);
  expect((await browser.get(permissions)).status).toBe(200);
  await svc.sql('update svc.users set is_enabled = false where user_name = $1', [person.userName]);
  expect((await browser.get(permissions)).status).toBe(401);
});
