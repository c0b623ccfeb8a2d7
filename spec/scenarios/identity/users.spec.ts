import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey, addUser, type Person, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { password } from '@svc/testkit/people/users.ts';
import type { RunningService } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const users = '/svc/api/users';
const projects = '/svc/api/projects';

async function idOf(svc: RunningService, { userName }: Person): Promise<number> {
  const [user] = await svc.sql<{ id: number }>('select id from svc.users where user_name = $1', [userName]);
  return user?.id ?? 0;
}

/** Creates an Editor with two keys. Returns functions that read the stored state and save the user. */
async function keyOwner(svc: RunningService, root: HttpClient, name: string) {
  const person = await addUser(svc, name, ['Editor']);
  const browser = await signIn(svc, person);
  const project = await addProject(browser, `Project of ${name}`);
  const keys = [
    await addKey(browser, { scopes: ['Read'], projects: [project] }),
    await addKey(browser, { scopes: ['Execute'], projects: [project] }),
  ];
  const id = await idOf(svc, person);
  const states = () =>
    svc.sql<{ revoked: boolean; generation: number }>(
      `select k.revoked_at is not null as revoked, u.api_key_generation as generation
       from svc.api_keys k join svc.users u on u.id = k.owner_user_id where u.id = $1 order by k.id`,
      [id],
    );
  const save = (isEnabled: boolean) => root.put(`${users}/${id}`, { userName: name, isEnabled });
  return { person, browser, project, keys, id, states, save };
}

/** Returns the number of revoked keys from each event with that name about a user. */
async function revocations(svc: RunningService, id: number, event: string): Promise<unknown[]> {
  const events = await svc.sql<{ count: unknown }>(
    `select detail -> 'revokedKeyCount' as count from svc.audit_events
      where subject_kind = 'user' and subject_id = $1 and event = $2`,
    [id, event],
  );
  return events.map(({ count }) => count);
}

const revoked = (generation: number) => [
  { revoked: true, generation },
  { revoked: true, generation },
];

scenario(
  ['ID-3.2-08', 'ID-3.2-10', 'ID-6-05'],
  'disabling a user, by toggle or by save, revokes all keys and advances the generation in the same save',
  async ({ svc, root }) => {
    const toggled = await keyOwner(svc, root, 'toggled');
    expect((await root.post(`${users}/${toggled.id}/toggle-enabled`)).status).toBeLessThan(300);
    expect(await toggled.states()).toEqual(revoked(1));
    const saved = await keyOwner(svc, root, 'saved');
    expect((await saved.save(false)).status).toBeLessThan(300);
    expect(await saved.states()).toEqual(revoked(1));
    for (const { keys } of [toggled, saved])
      for (const key of keys) expect((await svc.client(`Bearer ${key.text}`).get(projects)).status).toBe(401);
    const events = await svc.sql<{ detail: string }>(
      "select detail::text as detail from svc.audit_events where subject_kind = 'user' and subject_id = any($1) and event like 'users.%' and detail ? 'revokedKeyCount'",
      [[toggled.id, saved.id]],
    );
    expect(events.length).toBeGreaterThanOrEqual(2);
    for (const { detail } of events) expect(detail).toMatch(/"revokedKeyCount": 2\b/);
  },
);

scenario(
  ['ID-3.2-09'],
  'every later save of a user as disabled revokes all keys again',
  async ({ svc, root }) => {
    const owner = await keyOwner(svc, root, 'often-disabled');
    await owner.save(false);
    for (const displayName of ['Disabled again', 'And again']) {
      await svc.sql('update svc.api_keys set revoked_at = null where owner_user_id = $1', [owner.id]);
      const change = { userName: 'often-disabled', displayName, isEnabled: false };
      expect((await root.put(`${users}/${owner.id}`, change)).status).toBeLessThan(300);
      expect((await owner.states()).map((key) => key.revoked)).toEqual([true, true]);
    }
    expect(await revocations(svc, owner.id, 'users.disabled')).toEqual([2, 2, 2]);
  },
);

scenario(
  ['ID-3.2-12', 'ID-3.2-13', 'ID-3.2-20', 'ID-6-05'],
  'enabling a user again revokes all active keys, so new keys must be created',
  async ({ svc, root }) => {
    const owner = await keyOwner(svc, root, 'enabled-again');
    await svc.sql('update svc.users set is_enabled = false where id = $1', [owner.id]);
    expect((await owner.states()).map((key) => key.revoked)).toEqual([false, false]);
    expect((await owner.save(true)).status).toBeLessThan(300);
    expect(await owner.states()).toEqual(revoked(1));
    expect(await revocations(svc, owner.id, 'users.enabled')).toEqual([2]);
    const [old] = owner.keys;
    expect((await svc.client(`Bearer ${old?.text}`).get(projects)).status).toBe(401);
    const browser = await signIn(svc, owner.person);
    const fresh = await addKey(browser, { scopes: ['Read'], projects: [owner.project] });
    expect((await svc.client(`Bearer ${fresh.text}`).get(projects)).status).toBe(200);
  },
);

scenario(
  ['ID-3.2-11', 'ID-6-05'],
  'archiving a user revokes all keys and advances the key generation',
  async ({ svc, root }) => {
    const owner = await keyOwner(svc, root, 'archived');
    expect((await root.delete(`${users}/${owner.id}`)).status).toBe(204);
    expect(await owner.states()).toEqual(revoked(1));
    expect(await revocations(svc, owner.id, 'users.archived')).toEqual([2]);
    for (const key of owner.keys)
      expect((await svc.client(`Bearer ${key.text}`).get(projects)).status).toBe(401);
  },
);

scenario(
  ['ID-3.3-04', 'ID-4-18', 'RT-4.3-65', 'RT-4.3-66'],
  'only a UserAdmin can end every session of a user',
  async ({ svc, root }) => {
    const person = await addUser(svc, 'signed-out', ['Viewer']);
    const id = await idOf(svc, person);
    const sessions = [await signIn(svc, person), await signIn(svc, person)];
    const userAdmin = await signIn(svc, await addUser(svc, 'ender', ['UserAdmin']));
    const editor = await signIn(svc, await addUser(svc, 'no-ender', ['Editor', 'SecurityAdmin']));
    for (const path of [`${users}/${id}/sign-out-everywhere`, `${users}/${id}/toggle-enabled`])
      expect((await editor.post(path)).status).toBe(403);
    expect((await editor.get(users)).status).toBe(403);
    expect((await userAdmin.post(`${users}/${id}/sign-out-everywhere`)).status).toBeLessThan(300);
    for (const session of sessions) expect((await session.get('/svc/api/auth/permissions')).status).toBe(401);
    expect((await userAdmin.put(`${users}/${id}/roles`, { roles: ['Editor'] })).status).toBeLessThan(300);
    for (const isEnabled of [false, true]) {
      expect((await userAdmin.post(`${users}/${id}/toggle-enabled`)).status).toBeLessThan(300);
      expect((await userAdmin.get(`${users}/${id}`)).body).toMatchObject({ isEnabled, roles: ['Editor'] });
    }
    expect((await root.get('/svc/api/auth/permissions')).status).toBe(200);
    expect((await userAdmin.get(users)).status).toBe(200);
    const roles = (await userAdmin.get(`${users}/roles`)).text;
    for (const role of ['Viewer', 'Editor', 'Admin', 'Auditor']) expect(roles).toContain(role);
  },
);

scenario(
  ['ID-5.2-04', 'ID-5.2-05', 'RT-4.3-67'],
  'a password that an administrator has set must be changed first, and users change their own password',
  async ({ svc, root }) => {
    const person = { userName: 'new-hire', password: 'First-password-1!' };
    const made = await root.post(`${users}/internal`, { ...person, roles: ['Viewer'] });
    expect(made.status, made.text).toBe(201);
    const browser = await signIn(svc, person);
    const refused = await browser.get(projects);
    expect([refused.status, refused.text]).toEqual([403, expect.stringMatching(/password/i)]);
    const change = '/svc/api/user-settings/change-password';
    const wrong = await browser.post(change, {
      currentPassword: 'Wrong-password-1!',
      newPassword: 'Second-password-2!',
    });
    expect(wrong.status).toBe(400);
    const changed = await browser.post(change, {
      currentPassword: person.password,
      newPassword: 'Second-password-2!',
    });
    expect(changed.status, changed.text).toBeLessThan(300);
    const again = await signIn(svc, { userName: person.userName, password: 'Second-password-2!' });
    expect((await again.get(projects)).status).toBe(200);
    const own = '/svc/api/user-settings';
    const mine = { displayName: 'Newly hired', timeZone: 'Europe/Zagreb', theme: 'Dark' };
    expect(await again.patch(own, mine)).toMatchObject({ status: 200, body: mine });
    expect((await again.get(own)).body).toMatchObject({ userName: person.userName, ...mine });
    const other = { userName: 'root', displayName: 'The first administrator', timeZone: null, theme: null };
    expect((await root.get(own)).body).toMatchObject(other);
    const old = await svc.client().post('/svc/api/auth/login', {
      username: person.userName,
      password: person.password,
      rememberMe: false,
    });
    expect(old.status).toBe(401);
  },
);

scenario(['ID-5.2-06'], 'no route sets the password of another user', async ({ svc, root }) => {
  const person = await addUser(svc, 'keeps-password', ['Viewer']);
  const id = await idOf(svc, person);
  const wish = { userName: person.userName, password: 'Taken-over-9!', newPassword: 'Taken-over-9!' };
  for (const method of ['PUT', 'PATCH', 'POST'])
    for (const path of [`${users}/${id}`, `${users}/${id}/password`, `${users}/${id}/reset-password`])
      expect([method, path, (await root.send(method, path, wish)).status >= 400]).toEqual([
        method,
        path,
        true,
      ]);
  await signIn(svc, { userName: person.userName, password });
});
