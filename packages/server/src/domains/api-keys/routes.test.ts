import { createHash } from 'node:crypto';
import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/project-records.ts';
import { createKey, createUser, setRoles } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const keys = '/svc/api/api-keys';
const admin = '/svc/api/api-keys/admin';
const dayMs = 86_400_000;

let svc: RunningService;
let root: HttpClient;
let editor: HttpClient;
let viewer: HttpClient;
let userAdmin: HttpClient;
let auditor: HttpClient;
let rootId: number;
let editorId: number;
let viewerId: number;
let open: number;
let restricted: number;

beforeAll(async () => {
  svc = await startService();
  root = await setUp(svc);
  rootId = (await root.get('/svc/api/auth/me')).body.userId;
  editorId = await createUser(svc.database, 'editor', 'Editor');
  viewerId = await createUser(svc.database, 'viewer', 'Viewer');
  await createUser(svc.database, 'useradmin', 'UserAdmin');
  await createUser(svc.database, 'auditor', 'Auditor');
  editor = await signIn(svc, 'editor');
  viewer = await signIn(svc, 'viewer');
  userAdmin = await signIn(svc, 'useradmin');
  auditor = await signIn(svc, 'auditor');
  open = await addProject(svc.database, { name: 'Open' });
  restricted = await addProject(svc.database, {
    name: 'Restricted',
    accessMode: 'Restricted',
    members: [[editorId, 'Editor']],
  });
});
afterAll(() => svc.close());

const input = (change: Record<string, unknown> = {}) => ({
  name: 'CI',
  scopes: ['Read'],
  allowedProjectIds: [open],
  ...change,
});
const make = async (client: HttpClient, change: Record<string, unknown> = {}) => {
  const answer = await client.post(keys, input(change));
  expect(answer.status).toBe(201);
  return answer.body;
};
const by = (key: { plainTextKey: string }, origin = svc.origin) =>
  createHttpClient(origin, `Bearer ${key.plainTextKey}`);
const events = async (event: string) =>
  (await svc.database.query('select * from svc.audit_events where event = $1 order by id', [event])).rows;

describe('status 201', () => {
  test('a key is returned once, and only its hash and its first 16 characters are stored', async () => {
    const key = await make(editor, {
      scopes: ['Execute', 'Read', 'Execute'],
      allowedProjectIds: [open, restricted, open],
    });
    expect(key.plainTextKey).toMatch(/^sk-sem_[A-Za-z0-9]{35,43}$/);
    expect(key).toMatchObject({
      name: 'CI',
      prefix: key.plainTextKey.slice(0, 16),
      scopes: ['Read', 'Execute'],
      allowedProjectIds: [open, restricted],
      lastUsedAt: null,
      isActive: true,
    });
    const { rows } = await svc.database.query('select *, k::text as text from svc.api_keys k where id = $1', [
      key.id,
    ]);
    expect(rows[0].key_hash).toEqual(createHash('sha256').update(key.plainTextKey).digest());
    expect(rows[0].text).not.toContain(key.plainTextKey.slice(16));
    const [event] = (await events('keys.api_key_created')).slice(-1);
    expect(event).toMatchObject({
      actor_kind: 'user',
      actor_user_id: editorId,
      subject_id: key.id,
      detail: { ownerUserId: editorId, scopes: ['Read', 'Execute'], projectIds: [open, restricted] },
    });
    for (const text of [JSON.stringify(event), JSON.stringify(svc.log)]) {
      expect(text).not.toContain(key.plainTextKey);
      expect(text).not.toContain(rows[0].key_hash.toString('hex'));
    }
  });

  test('a key is valid for 90 days by default, and for up to 365 days on request', async () => {
    const daysOf = (key: { createdTime: string; expiresAt: string }) =>
      (Date.parse(key.expiresAt) - Date.parse(key.createdTime)) / dayMs;
    for (const expiresAt of [undefined, null, ''])
      expect(daysOf(await make(viewer, { expiresAt }))).toBeCloseTo(90, 3);
    const wanted = new Date(Date.now() + 364 * dayMs).toISOString();
    expect((await make(viewer, { expiresAt: wanted })).expiresAt).toBe(wanted);
    const day = wanted.slice(0, 10);
    expect((await make(viewer, { expiresAt: day })).expiresAt).toBe(`${day}T00:00:00.000Z`);
  });

  test('a lower maximum lifetime is also the default lifetime', async () => {
    const short = await startService({ on: svc, config: { 'Svc:ApiKeys:MaxLifetimeDays': 10 } });
    const client = await signIn(short, 'viewer');
    const key = await make(client);
    expect((Date.parse(key.expiresAt) - Date.parse(key.createdTime)) / dayMs).toBeCloseTo(10, 3);
    expect(
      (await client.post(keys, input({ expiresAt: new Date(Date.now() + 11 * dayMs).toISOString() }))).status,
    ).toBe(400);
    await short.close();
  });
});

describe('status 200', () => {
  test('a user can list their own keys, newest first, in pages and with the time of the last use', async () => {
    const lister = await createUser(svc.database, 'lister', 'Viewer');
    const client = await signIn(svc, 'lister');
    const [first, second] = [await make(client, { name: 'a' }), await make(client, { name: 'B' })];
    const beforeMs = Date.now();
    expect((await by(first).get('/svc/api/projects')).status).toBe(200);
    const { body } = await client.get(keys);
    expect(body).toMatchObject({ totalCount: 2, pageCount: 1, items: [{ id: second.id }, { id: first.id }] });
    expect(body.items[0].lastUsedAt).toBeNull();
    expect(Date.parse(body.items[1].lastUsedAt)).toBeGreaterThan(beforeMs - 60_000);
    expect((await client.get(`${keys}?sort=name&pageSize=1`)).body).toMatchObject({
      totalCount: 2,
      pageCount: 2,
      items: [{ id: first.id }],
    });
    expect(JSON.stringify(body)).not.toContain('plainTextKey');
    expect((await root.get(`${admin}?userId=${lister}`)).body.totalCount).toBe(2);
  });

  test('the list for administrators names the owner of each key and states whether the caller may revoke it', async () => {
    const [ours, roots] = [await make(viewer), await make(root)];
    const seen = async (client: HttpClient) => {
      const { body } = await client.get(`${admin}?pageSize=200`);
      return new Map<number, Record<string, unknown>>(
        body.items.map((item: { id: number }) => [item.id, item]),
      );
    };
    for (const [client, viewers, superAdmins] of [
      [root, true, true],
      [userAdmin, true, false],
      [auditor, false, false],
    ] as const) {
      const list = await seen(client);
      expect(list.get(ours.id)).toMatchObject({
        ownerUserName: 'viewer',
        canRevoke: viewers,
        status: 'Active',
      });
      expect(list.get(roots.id)).toMatchObject({
        ownerUserName: superAdmin.userName,
        canRevoke: superAdmins,
      });
    }
  });

  test('legacy keys without a project list or an expiry are listed as active, and the scope Admin as Execute', async () => {
    const { id } = await createKey(svc.database, viewerId, {
      scopes: ['Admin'],
      projectIds: null,
      expiresAt: null,
    });
    const { body } = await viewer.get(`${keys}?pageSize=200`);
    expect(body.items.find((item: { id: number }) => item.id === id)).toMatchObject({
      scopes: ['Execute'],
      allowedProjectIds: null,
      expiresAt: null,
      isActive: true,
    });
  });
});

describe('status 204', () => {
  test('an owner revokes a key, which fails on the next request on each replica', async () => {
    const replica = await startService({ on: svc });
    const key = await make(editor);
    expect((await by(key, replica.origin).get('/svc/api/projects')).status).toBe(200);
    expect((await editor.delete(`${keys}/${key.id}`)).status).toBe(204);
    for (const origin of [svc.origin, replica.origin])
      expect((await by(key, origin).get('/svc/api/projects')).status).toBe(401);
    expect((await editor.delete(`${keys}/${key.id}`)).status).toBe(204);
    expect(
      (await events('keys.api_key_revoked')).filter((event) => event.subject_id === key.id),
    ).toHaveLength(1);
    await replica.close();
  });

  test('an administrator can revoke the key of another user', async () => {
    const key = await make(editor);
    expect((await userAdmin.delete(`${admin}/${key.id}`)).status).toBe(204);
    expect((await by(key).get('/svc/api/projects')).status).toBe(401);
    expect((await events('keys.api_key_revoked_by_administrator')).at(-1)).toMatchObject({
      subject_id: key.id,
      detail: { ownerUserId: editorId },
    });
    const { body } = await root.get(`${admin}?pageSize=200`);
    expect(body.items.find((item: { id: number }) => item.id === key.id)).toMatchObject({
      status: 'Revoked',
      canRevoke: false,
      isActive: false,
    });
  });

  test('requests during the revocation pass or get 401, and requests after it get 401', async () => {
    const key = await make(editor);
    const client = by(key);
    const racing = Array.from({ length: 40 }, async (_, index) => {
      if (index === 20) await editor.delete(`${keys}/${key.id}`);
      return (await client.get('/svc/api/projects')).status;
    });
    const statuses = await Promise.all(racing);
    expect(statuses.filter((status) => status !== 200 && status !== 401)).toEqual([]);
    expect(statuses[20]).toBe(401);
    expect((await client.get('/svc/api/projects')).status).toBe(401);
  });
});

describe('status 400', () => {
  const now = Date.now();
  test.each([
    { name: '' },
    { name: ' ' },
    { scopes: [] },
    { scopes: ['Admin'] },
    { scopes: ['Read', 'Write'] },
    { allowedProjectIds: [] },
    { allowedProjectIds: undefined },
    { allowedProjectIds: ['1'] },
    { expiresAt: 'tomorrow' },
    { expiresAt: '2020-01-01' },
    { expiresAt: '2027-02-30' },
    { expiresAt: new Date(now - 1_000).toISOString() },
    { expiresAt: new Date(now + 366 * dayMs).toISOString() },
  ])('refuses the input %o with 400', async (change) => {
    expect((await viewer.post(keys, input(change))).status).toBe(400);
  });
});

describe('status 403', () => {
  let key: { plainTextKey: string };
  beforeEach(async () => {
    key = await make(root, { scopes: ['Execute'] });
  });

  test('key routes accept only a browser session', async () => {
    const client = by(key);
    for (const path of [keys, admin]) expect((await client.get(path)).status).toBe(403);
    expect((await client.post(keys, input())).status).toBe(403);
    expect((await client.delete(`${keys}/1`)).status).toBe(403);
    expect((await client.delete(`${admin}/1`)).status).toBe(403);
  });

  test('an administrative route refuses a key and names the required role', async () => {
    const answer = await by(key).get(admin);
    expect(answer.body.detail).toMatch(/API keys cannot use administrative routes.*Auditor/);
  });

  test('Execute keys require the role Editor or higher, and each key requires read access', async () => {
    expect((await viewer.post(keys, input({ scopes: ['Execute'] }))).status).toBe(403);
    expect((await userAdmin.post(keys, input())).status).toBe(403);
  });

  test('refuses users without the permission to administer keys', async () => {
    for (const client of [viewer, editor]) {
      expect((await client.get(admin)).status).toBe(403);
      expect((await client.delete(`${admin}/1`)).status).toBe(403);
    }
    expect((await auditor.delete(`${admin}/1`)).status).toBe(403);
  });

  test('a UserAdmin who is not an Admin cannot revoke keys of Admins, super admins and holders of functional roles', async () => {
    const ids = [rootId];
    for (const role of ['Admin', 'Auditor', 'UserAdmin'] as const)
      ids.push(await createUser(svc.database, `holder of ${role}`, [role, 'Viewer']));
    for (const id of ids) {
      const theirs = await createKey(svc.database, id);
      expect((await userAdmin.delete(`${admin}/${theirs.id}`)).status).toBe(403);
      expect((await root.delete(`${admin}/${theirs.id}`)).status).toBe(204);
    }
  });

  test('a Read key cannot write, and an Execute key cannot write while its owner cannot write', async () => {
    const owner = await createUser(svc.database, 'changing', 'Editor');
    const [read, execute] = [
      await createKey(svc.database, owner, { projectIds: null }),
      await createKey(svc.database, owner, { scopes: ['Execute'], projectIds: null }),
    ];
    const project = { name: 'By key', description: '' };
    const refused = { status: 403, body: { detail: 'This operation requires the Execute scope.' } };
    expect(await by(read).post('/svc/api/projects', project)).toMatchObject(refused);
    expect((await by(execute).post('/svc/api/projects', project)).status).toBe(201);
    await setRoles(svc.database, owner, ['Viewer']);
    for (let use = 0; use < 2; use += 1)
      expect(await by(execute).post('/svc/api/projects', project)).toMatchObject(refused);
    expect((await by(execute).get('/svc/api/projects')).status).toBe(200);
    expect(svc.log.filter((entry) => entry['apiKeyId'] === execute.id)).toMatchObject([{ level: 40 }]);
    await setRoles(svc.database, owner, ['Editor']);
    expect((await by(execute).post('/svc/api/projects', project)).status).toBe(201);
    await setRoles(svc.database, owner, []);
    expect((await by(execute).get('/svc/api/projects')).status).toBe(403);
  });
});

describe('status 404', () => {
  test('refuses a project with 404 that the creator cannot read without the Admin bypass', async () => {
    for (const client of [root, viewer])
      for (const ids of [[restricted], [open, restricted], [999_999]])
        expect((await client.post(keys, input({ allowedProjectIds: ids }))).status).toBe(404);
    expect((await editor.post(keys, input({ allowedProjectIds: [restricted] }))).status).toBe(201);
  });

  test('returns 404 for the key of another user and for unknown keys', async () => {
    const key = await make(editor);
    expect((await viewer.delete(`${keys}/${key.id}`)).status).toBe(404);
    expect((await root.delete(`${keys}/${key.id}`)).status).toBe(404);
    expect((await root.delete(`${admin}/999999`)).status).toBe(404);
    expect((await by(key).get('/svc/api/projects')).status).toBe(200);
  });
});
