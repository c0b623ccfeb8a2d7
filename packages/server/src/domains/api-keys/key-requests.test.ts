import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/project-records.ts';
import { createKey, createUser } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const keys = '/svc/api/api-keys';
const admin = '/svc/api/api-keys/admin';

let svc: RunningService;
let root: HttpClient;
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

describe('status 401', () => {
  test('refuses the key lists with 401 without a sign-in', async () => {
    for (const path of [keys, admin]) expect((await createHttpClient(svc.origin).get(path)).status).toBe(401);
  });

  const states: readonly (readonly [string, string])[] = [
    ['revoked', 'update svc.api_keys set revoked_at = now() where id = $1'],
    ['expired', 'update svc.api_keys set expires_at = now() where id = $1'],
    [
      'owner_disabled',
      'update svc.users u set is_enabled = false from svc.api_keys k where k.id = $1 and u.id = k.owner_user_id',
    ],
    [
      'owner_archived',
      'update svc.users u set archived_at = now() from svc.api_keys k where k.id = $1 and u.id = k.owner_user_id',
    ],
    ['owner_missing', 'update svc.api_keys set owner_user_id = null where id = $1'],
    [
      'owner_generation_changed',
      'update svc.users u set api_key_generation = 1 from svc.api_keys k where k.id = $1 and u.id = k.owner_user_id',
    ],
    ['no valid scopes', "update svc.api_keys set scopes = '{Write}' where id = $1"],
  ];
  test.each(states)(
    'a key with the state %s gets the same 401 as an unknown key, and only the log has the reason',
    async (reason, statement) => {
      const owner = await createUser(svc.database, `owner of ${reason}`, 'Viewer');
      const key = await createKey(svc.database, owner, { projectIds: [open] });
      expect((await by(key).get('/svc/api/projects')).status).toBe(200);
      await svc.database.query(statement, [key.id]);
      const answer = await by(key).get('/svc/api/projects');
      expect(answer).toMatchObject({ status: 401, body: { detail: 'Invalid or expired API key.' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      const unknown = await createHttpClient(svc.origin, 'Bearer sk-sem_unknown').get('/svc/api/projects');
      const { traceId: _a, ...body } = answer.body;
      const { traceId: _b, ...other } = unknown.body;
      expect(body).toEqual(other);
      expect(svc.log.at(-2)).toMatchObject({ level: 40, apiKeyId: key.id, reason });
      expect(JSON.stringify(svc.log)).not.toContain(key.plainTextKey);
    },
  );

  test('a key of an inactive owner gets 401 with its own message until the owner signs in', async () => {
    const days = await startService({ on: svc, config: { 'Svc:ApiKeys:MaxOwnerInactivityDays': 30 } });
    const owner = await createUser(svc.database, 'away', 'Viewer');
    const key = await createKey(svc.database, owner, { projectIds: [open] });
    expect((await by(key, days.origin).get('/svc/api/projects')).status).toBe(200);
    await svc.database.query("update svc.users set created_time = now() - interval '30 days' where id = $1", [
      owner,
    ]);
    const answer = await by(key, days.origin).get('/svc/api/projects');
    expect(answer.status).toBe(401);
    expect(answer.body.detail).toMatch(/30 days\. The key works again after the owner signs in/);
    const refused = days.log.findLast(({ msg }) => msg === 'an API key was refused');
    expect(refused).toMatchObject({ level: 40, apiKeyId: key.id, reason: 'owner_inactive' });
    await signIn(days, 'away');
    expect((await by(key, days.origin).get('/svc/api/projects')).status).toBe(200);
    await days.close();
  });

  test('a key without an expiry logs one warning, and with the setting it expires one maximum lifetime after its creation', async () => {
    const key = await createKey(svc.database, viewerId, { projectIds: [open], expiresAt: null });
    for (let use = 0; use < 3; use += 1) expect((await by(key).get('/svc/api/projects')).status).toBe(200);
    expect(svc.log.filter((entry) => entry['apiKeyId'] === key.id)).toMatchObject([{ level: 40 }]);
    const strict = await startService({
      on: svc,
      config: { 'Svc:ApiKeys:EnforceMaxLifetimeOnExistingKeys': true, 'Svc:ApiKeys:MaxLifetimeDays': 100 },
    });
    expect((await by(key, strict.origin).get('/svc/api/projects')).status).toBe(200);
    await svc.database.query(
      "update svc.api_keys set created_time = now() - interval '100 days' where id = $1",
      [key.id],
    );
    expect((await by(key, strict.origin).get('/svc/api/projects')).status).toBe(401);
    await strict.close();
  });

  test('only the header Authorization: Bearer sk-sem_ authenticates a key', async () => {
    const { plainTextKey } = await createKey(svc.database, viewerId, { projectIds: [open] });
    const client = createHttpClient(svc.origin);
    const get = (headers: Record<string, string>, path = '/svc/api/projects') =>
      client.get(path, { headers });
    expect((await get({ authorization: `bEARER ${plainTextKey}` })).status).toBe(200);
    expect((await get({ authorization: `Bearer ${plainTextKey.toUpperCase()}` })).body.code).toBe(
      'invalid-api-key',
    );
    for (const headers of [
      { 'x-api-key': plainTextKey },
      { authorization: plainTextKey },
      { authorization: `Basic ${plainTextKey}` },
      { authorization: `Bearer  ${plainTextKey}` },
    ] as Record<string, string>[])
      expect((await get(headers)).body.code).toBe('unauthorized');
    expect((await get({}, `/svc/api/projects?api_key=${plainTextKey}`)).status).toBe(401);
    // A request with a refused key never becomes anonymous, also on an anonymous route.
    expect((await get({ authorization: 'Bearer sk-sem_nothing' }, '/svc/api/auth/me')).status).toBe(401);
  });
});

describe('the projects of a key', () => {
  const idsOf = async (client: HttpClient) =>
    (await client.get('/svc/api/projects?pageSize=200')).body.items.map(({ id }: { id: number }) => id);

  test('a key reaches only the projects of its list, also the key of an Admin', async () => {
    const key = await make(root);
    expect(await idsOf(by(key))).toEqual([open]);
    expect((await by(key).get(`/svc/api/projects/${open}`)).status).toBe(200);
    expect((await by(key).get(`/svc/api/projects/${restricted}`)).status).toBe(404);
  });

  test('a key without a list reaches the projects that its owner can read without the Admin bypass', async () => {
    const [roots, editors] = [
      await createKey(svc.database, rootId, { projectIds: null }),
      await createKey(svc.database, editorId, { projectIds: null }),
    ];
    expect((await by(roots).get(`/svc/api/projects/${restricted}`)).status).toBe(404);
    expect((await by(editors).get(`/svc/api/projects/${restricted}`)).status).toBe(200);
  });

  test('a malformed list denies each project', async () => {
    const key = await createKey(svc.database, editorId, { projectIds: [open] });
    await svc.database.query(
      'update svc.api_keys set allowed_project_ids = array[$2, null]::int[] where id = $1',
      [key.id, open],
    );
    expect(await idsOf(by(key))).toEqual([]);
  });
});
