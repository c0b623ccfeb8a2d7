import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createKey, createUser, password } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const users = '/svc/api/users';
let svc: RunningService;
let root: HttpClient;
let userAdmin: HttpClient;
let rootId: number;
let userAdminId: number;

beforeAll(async () => {
  svc = await startService();
  root = await setUp(svc);
  rootId = (await root.get('/svc/api/auth/me')).body.userId;
  userAdminId = await createUser(svc.database, 'useradmin', 'UserAdmin');
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
const userOf = async (id: number) =>
  (await svc.database.query('select * from svc.users where id = $1', [id])).rows[0];

describe('200', () => {
  test('users are filtered by role and by whether they are enabled', async () => {
    const listed = async (query: string) =>
      (await userAdmin.get(`${users}?pageSize=200&${query}`)).body.items as {
        isEnabled: boolean;
        roles: string[];
      }[];
    const admins = await listed('role=Admin');
    expect(admins.length).toBeGreaterThan(0);
    expect(admins.every(({ roles }) => roles.includes('Admin'))).toBe(true);
    const all = await listed('');
    const [enabled, disabled] = [await listed('isEnabled=true'), await listed('isEnabled=false')];
    expect(enabled.length + disabled.length).toBe(all.length);
    expect(disabled.every(({ isEnabled }) => !isEnabled)).toBe(true);
    expect((await userAdmin.get(`${users}?role=Owner`)).status).toBe(400);
  });

  test('users are listed by name, searched and paged, and archived users only on request', async () => {
    const [a, b] = [await newUser(), await newUser()];
    await svc.database.query(
      "update svc.users set display_name = 'Findable', email = 'f@x.org' where id = $1",
      [a.id],
    );
    await svc.database.query(
      "update svc.users set display_name = 'Findable', archived_at = now() where id = $1",
      [b.id],
    );
    const matches = (await userAdmin.get(`${users}?search=FINDAB`)).body;
    expect(matches).toMatchObject({
      totalCount: 1,
      items: [{ id: a.id, roles: ['Viewer'], kind: 'Internal' }],
    });
    expect((await userAdmin.get(`${users}?search=findab&includeArchived=true`)).body.totalCount).toBe(2);
    const names = (await userAdmin.get(`${users}?pageSize=3`)).body.items.map(
      (user: { userName: string }) => user.userName,
    );
    expect(names).toEqual(names.toSorted());
    expect(JSON.stringify(matches)).not.toMatch(/hash|stamp/i);
  });

  test('roles are listed highest first', async () => {
    const { body } = await userAdmin.get(`${users}/roles`);
    expect(body.items.map((role: { name: string }) => role.name).slice(0, 3)).toEqual([
      'Admin',
      'Editor',
      'Viewer',
    ]);
    expect(body.totalCount).toBe(9);
  });

  test('omitted fields of a change are unchanged, and an empty value clears a field', async () => {
    const { id } = await newUser();
    expect((await userAdmin.put(`${users}/${id}`, { email: 'a@b.org' })).body).toMatchObject({
      email: 'a@b.org',
    });
    const { body } = await userAdmin.put(`${users}/${id}`, { displayName: '' });
    expect(body).toMatchObject({ displayName: null, email: 'a@b.org', isEnabled: true });
  });

  test('new roles apply immediately, renew the stamp and are audited, and the same roles again change nothing', async () => {
    const { id, name } = await newUser();
    const client = await signIn(svc, name);
    const before = (await userOf(id)).security_stamp;
    expect((await userAdmin.put(`${users}/${id}/roles`, { roles: ['Editor'] })).body.roles).toEqual([
      'Editor',
    ]);
    expect((await client.get('/svc/api/auth/permissions')).body.canWrite).toBe(true);
    const after = (await userOf(id)).security_stamp;
    expect(after).not.toBe(before);
    await userAdmin.put(`${users}/${id}/roles`, { roles: ['Editor'] });
    expect((await userOf(id)).security_stamp).toBe(after);
    expect(await events(id)).toContainEqual({
      event: 'users.roles_changed',
      detail: { from: ['Viewer'], to: ['Editor'] },
      actor_user_id: userAdminId,
    });
  });

  test('roles of the identity provider are retained when other roles are granted', async () => {
    const { id } = await newUser();
    await svc.database.query(
      "insert into svc.user_roles (user_id, role, source) values ($1, 'Auditor', 'IdentityProvider')",
      [id],
    );
    const { body } = await root.put(`${users}/${id}/roles`, { roles: ['Editor'] });
    expect(body).toMatchObject({ roles: ['Auditor', 'Editor'], grantedRoles: ['Editor'] });
  });
});

describe('201', () => {
  test('an internal user must change the password that was set', async () => {
    const answer = await userAdmin.post(`${users}/internal`, {
      userName: 'fresh',
      email: 'fresh@example.org',
      password: password,
      roles: ['Editor'],
    });
    expect(answer).toMatchObject({
      status: 201,
      body: { userName: 'fresh', roles: ['Editor'], mustChangePassword: true },
    });
    const client = await signIn(svc, 'fresh');
    expect((await client.get('/svc/api/projects')).body.code).toBe('password-change-required');
    const newPassword = 'Another-horse-8-battery';
    const changed = await client.post('/svc/api/user-settings/change-password', {
      currentPassword: password,
      newPassword,
    });
    expect(changed.status).toBe(204);
    expect((await client.get('/svc/api/projects')).status).toBe(200);
  });

  test('an external user has an issuer and a subject, and the same identity is refused for a second user', async () => {
    const input = { issuer: 'https://idp.example', subject: 'abc', userName: 'outsider' };
    const { status, body } = await userAdmin.post(`${users}/external`, input);
    expect([status, body.kind, body.issuer, body.subject]).toEqual([
      201,
      'External',
      'https://idp.example',
      'abc',
    ]);
    expect((await userAdmin.post(`${users}/external`, { ...input, userName: 'other' })).body).toMatchObject({
      code: 'identity-taken',
      errors: [{ path: '/subject' }],
    });
  });
});

describe('400', () => {
  test.each([
    ['/internal', { userName: 'xy', password: password }],
    ['/internal', { userName: 'weakling', password: 'Password1!' }],
    ['/internal', { userName: 'weakling', password: password, email: 'none' }],
    ['/internal', { userName: 'weakling', password: password, roles: ['Root'] }],
    ['/internal', { userName: ' spaced ', password: password }],
    ['/external', { subject: 'x', userName: 'no-issuer' }],
  ])('refuses POST %s %o', async (path, body) => {
    expect((await root.post(users + path, body)).status).toBe(400);
  });
});

describe('403', () => {
  test('only UserAdmins and Admins can manage users, and no key can', async () => {
    for (const roles of [[], ['Viewer'], ['Editor'], ['Auditor'], ['SecurityAdmin']] as const) {
      const { name } = await newUser([...roles]);
      const client = await signIn(svc, name);
      expect((await client.get(users)).status).toBe(403);
      expect((await client.post(`${users}/${userAdminId}/sign-out-everywhere`)).status).toBe(403);
    }
    const key = await createKey(svc.database, rootId, { scopes: ['Execute'], projectIds: null });
    const answer = await createHttpClient(svc.origin, key.authorization).get(users);
    expect(answer).toMatchObject({ status: 403, body: { code: 'key-administrative' } });
  });

  test('a UserAdmin without Admin can neither change privileged users nor grant privileged roles', async () => {
    const [admin, auditor, viewer] = [
      await newUser('Admin'),
      await newUser(['Viewer', 'Auditor']),
      await newUser(),
    ];
    for (const { id } of [admin, auditor, { id: rootId }]) {
      expect((await userAdmin.put(`${users}/${id}`, { email: null })).status).toBe(403);
      expect((await userAdmin.put(`${users}/${id}/roles`, { roles: [] })).status).toBe(403);
      expect((await userAdmin.post(`${users}/${id}/toggle-enabled`)).status).toBe(403);
      expect((await userAdmin.delete(`${users}/${id}`)).status).toBe(403);
    }
    for (const role of ['Admin', 'UserAdmin', 'Auditor', 'Approver']) {
      expect((await userAdmin.put(`${users}/${viewer.id}/roles`, { roles: [role] })).status).toBe(403);
      const input = { userName: `lifted${role}`, password: password, roles: [role] };
      expect((await userAdmin.post(`${users}/internal`, input)).status).toBe(403);
      expect((await root.put(`${users}/${viewer.id}/roles`, { roles: [role] })).status).toBe(200);
      await root.put(`${users}/${viewer.id}/roles`, { roles: [] });
    }
  });

  test('a user cannot change their own roles, or disable or archive themselves', async () => {
    for (const [client, id] of [
      [root, rootId],
      [userAdmin, userAdminId],
    ] as const) {
      expect((await client.put(`${users}/${id}/roles`, { roles: ['Admin'] })).status).toBe(403);
      expect((await client.post(`${users}/${id}/toggle-enabled`)).status).toBe(403);
      expect((await client.put(`${users}/${id}`, { isEnabled: false })).status).toBe(403);
      expect((await client.delete(`${users}/${id}`)).status).toBe(403);
    }
    expect((await root.put(`${users}/${rootId}`, { displayName: 'Root' })).status).toBe(200);
  });
});

describe('404', () => {
  test('a user that does not exist gets 404', async () => {
    expect((await root.get(`${users}/999999`)).status).toBe(404);
    expect((await root.put(`${users}/999999/roles`, { roles: [] })).status).toBe(404);
    expect((await root.post(`${users}/x/sign-out-everywhere`)).status).toBe(404);
  });
});

describe('409', () => {
  test('a user name that is taken in another case is refused', async () => {
    const { name, id } = await newUser();
    const answer = await root.post(`${users}/internal`, {
      userName: name.toUpperCase(),
      password: password,
    });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'user-name-taken', errors: [{ path: '/userName' }] },
    });
    const other = await newUser();
    expect((await root.put(`${users}/${other.id}`, { userName: name })).status).toBe(409);
    expect((await root.put(`${users}/${id}`, { userName: name })).status).toBe(200);
  });

  test('the last active super admin cannot be removed, even by two simultaneous requests', async () => {
    const admin = await newUser('Admin');
    const client = await signIn(svc, admin.name);
    for (const call of [
      () => client.post(`${users}/${rootId}/toggle-enabled`),
      () => client.put(`${users}/${rootId}`, { isEnabled: false }),
      () => client.delete(`${users}/${rootId}`),
    ])
      expect(await call()).toMatchObject({ status: 409, body: { code: 'last-super-admin' } });
    const second = await newUser('Admin');
    await svc.database.query('update svc.users set is_super_admin = true where id = $1', [second.id]);
    const statuses = await Promise.all([
      client.post(`${users}/${rootId}/toggle-enabled`),
      client.post(`${users}/${second.id}/toggle-enabled`),
    ]);
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await svc.database.query('update svc.users set is_enabled = true where is_super_admin');
  });
});
