import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createKey, createUser } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const users = '/svc/api/users';
let svc: RunningService;
let userAdmin: HttpClient;

beforeAll(async () => {
  svc = await startService();
  await setUp(svc);
  await createUser(svc.database, 'useradmin', 'UserAdmin');
  userAdmin = await signIn(svc, 'useradmin');
});
afterAll(() => svc.close());

let counter = 0;
const newUser = (roles: Parameters<typeof createUser>[2] = 'Viewer') => {
  counter += 1;
  const name = `user${counter}`;
  return createUser(svc.database, name, roles).then((id) => ({ id, name }));
};
const events = async (userId: number) =>
  (
    await svc.database.query(
      "select event, detail, actor_user_id from svc.audit_events where subject_kind = 'user' and subject_id = $1 order by id",
      [userId],
    )
  ).rows;
const keyStatus = async (key: { authorization: string }) =>
  (await createHttpClient(svc.origin, key.authorization).get('/svc/api/projects')).status;
const userOf = async (id: number) =>
  (await svc.database.query('select * from svc.users where id = $1', [id])).rows[0];

describe('effects of user changes on keys and sessions', () => {
  const disablings = [
    ['the toggle', (id: number) => userAdmin.post(`${users}/${id}/toggle-enabled`)],
    ['a save as disabled', (id: number) => userAdmin.put(`${users}/${id}`, { isEnabled: false })],
  ] as const;

  test.each(disablings)(
    'disabling by %s revokes all keys, and enabling restores none',
    async (_name, disable) => {
      const { id, name } = await newUser();
      const keys = [
        await createKey(svc.database, id, { projectIds: null }),
        await createKey(svc.database, id, { projectIds: null }),
      ];
      const client = await signIn(svc, name);
      expect((await disable(id)).body.isEnabled).toBe(false);
      expect(await Promise.all(keys.map(keyStatus))).toEqual([401, 401]);
      expect((await userOf(id)).api_key_generation).toBe(1);
      expect((await client.get('/svc/api/projects')).status).toBe(401);
      expect((await events(id)).at(-1)).toMatchObject({
        event: 'users.disabled',
        detail: { revokedKeyCount: 2 },
      });
      // The next save as disabled also revokes keys that were created in the meantime.
      const late = await createKey(svc.database, id, { projectIds: null });
      await userAdmin.put(`${users}/${id}`, { isEnabled: false });
      expect((await events(id)).at(-1)).toMatchObject({ detail: { revokedKeyCount: 1 } });
      const later = await createKey(svc.database, id, { projectIds: null });
      expect((await userAdmin.put(`${users}/${id}`, { isEnabled: true })).body.isEnabled).toBe(true);
      expect((await events(id)).at(-1)).toMatchObject({
        event: 'users.enabled',
        detail: { revokedKeyCount: 1 },
      });
      expect(await Promise.all([...keys, late, later].map(keyStatus))).toEqual([401, 401, 401, 401]);
      expect((await userOf(id)).api_key_generation).toBe(3);
    },
  );

  test('archiving permanently ends all sessions and keys of a user', async () => {
    const { id, name } = await newUser();
    const key = await createKey(svc.database, id, { projectIds: null });
    const client = await signIn(svc, name);
    expect((await userAdmin.delete(`${users}/${id}`)).status).toBe(204);
    expect((await client.get('/svc/api/auth/permissions')).status).toBe(401);
    expect(await keyStatus(key)).toBe(401);
    expect((await userOf(id)).api_key_generation).toBe(1);
    expect((await events(id)).at(-1)).toMatchObject({
      event: 'users.archived',
      detail: { revokedKeyCount: 1 },
    });
    for (const call of [
      () => userAdmin.delete(`${users}/${id}`),
      () => userAdmin.put(`${users}/${id}`, { isEnabled: true }),
      () => userAdmin.post(`${users}/${id}/toggle-enabled`),
    ])
      expect((await call()).status).toBe(404);
    expect((await userAdmin.get(`${users}/${id}`)).body.archivedAt).not.toBeNull();
  });

  test('signing a user out everywhere ends only the sessions of this user', async () => {
    const { id, name } = await newUser();
    const [one, two] = [await signIn(svc, name), await signIn(svc, name)];
    expect((await userAdmin.post(`${users}/${id}/sign-out-everywhere`)).status).toBe(204);
    for (const client of [one, two]) expect((await client.get('/svc/api/auth/permissions')).status).toBe(401);
    expect((await userAdmin.get('/svc/api/auth/permissions')).status).toBe(200);
    await signIn(svc, name);
  });

  test('a key that is created while its owner is being disabled is refused or revoked', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, name } = await newUser();
      const { rows } = await svc.database.query(
        "insert into svc.projects (name) values ('Race') returning id",
      );
      const client = await signIn(svc, name);
      const input = { name: 'k', scopes: ['Read'], allowedProjectIds: [rows[0].id] };
      const [created] = await Promise.all([
        client.post('/svc/api/api-keys', input),
        userAdmin.post(`${users}/${id}/toggle-enabled`),
      ]);
      expect([201, 401, 403]).toContain(created.status);
      const activeKeys = await svc.database.query(
        'select from svc.api_keys where owner_user_id = $1 and revoked_at is null',
        [id],
      );
      expect(activeKeys.rowCount).toBe(0);
    }
  });
});
