import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createKey, createUser, setRoles } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const keys = '/svc/api/api-keys';
const dayMs = 86_400_000;
let svc: RunningService;
let root: HttpClient;
let editor: HttpClient;
let editorId: number;
let project: number;

beforeAll(async () => {
  svc = await startService();
  root = await setUp(svc);
  editorId = await createUser(svc.database, 'editor', 'Editor');
  await createUser(svc.database, 'other', 'Editor');
  await createUser(svc.database, 'auditor', 'Auditor');
  editor = await signIn(svc, 'editor');
  project = (await editor.post('/svc/api/projects', { name: 'Reached', description: '' })).body.projectId;
});
afterAll(() => svc.close());

const make = async (change: Record<string, unknown> = {}) =>
  (
    await editor.post(keys, {
      name: 'CI',
      scopes: ['Read', 'Execute'],
      allowedProjectIds: [project],
      ...change,
    })
  ).body;
const by = (plainTextKey: string) => createHttpClient(svc.origin, `Bearer ${plainTextKey}`);

describe('the replacement of a key', () => {
  test('returns 201 with a new key like the old one, which remains valid for the overlap', async () => {
    const old = await make();
    const earliestEndMs = Date.now() + 30 * 60_000;
    const answer = await editor.post(`${keys}/${old.id}/replace`, { overlapMinutes: 30 });
    const latestEndMs = Date.now() + 30 * 60_000;
    expect(answer.status).toBe(201);
    const { name, scopes, allowedProjectIds } = old;
    expect(answer.body).toMatchObject({ name, scopes, allowedProjectIds, isActive: true });
    expect(answer.body.plainTextKey).not.toBe(old.plainTextKey);
    for (const { plainTextKey } of [old, answer.body])
      expect((await by(plainTextKey).get('/svc/api/projects')).status).toBe(200);
    const items: { id: number; expiresAt: string; replacedByKeyId: number }[] = (await editor.get(keys)).body
      .items;
    const ended = items.find(({ id }) => id === old.id);
    expect(ended?.replacedByKeyId).toBe(answer.body.id);
    const endMs = Date.parse(ended?.expiresAt ?? '');
    // The clock of the database may differ.
    expect(endMs).toBeGreaterThan(earliestEndMs - 60_000);
    expect(endMs).toBeLessThan(latestEndMs + 60_000);
    const { rows } = await svc.database.query(
      "select detail from svc.audit_events where event = 'keys.api_key_replaced' and subject_id = $1",
      [old.id],
    );
    expect(rows).toMatchObject([{ detail: { newApiKeyId: answer.body.id } }]);
  });

  test('never extends the lifetime of the old key, and an overlap of 0 minutes ends it immediately', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const short = await make({ expiresAt: soon });
    await editor.post(`${keys}/${short.id}/replace`, {});
    const { rows } = await svc.database.query('select expires_at from svc.api_keys where id = $1', [
      short.id,
    ]);
    expect(rows[0].expires_at.toISOString()).toBe(soon);
    const gone = await make();
    await editor.post(`${keys}/${gone.id}/replace`, { overlapMinutes: 0 });
    expect((await by(gone.plainTextKey).get('/svc/api/projects')).status).toBe(401);
  });

  test('succeeds for only one of several simultaneous requests', async () => {
    const old = await make();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => editor.post(`${keys}/${old.id}/replace`, {})),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test('refuses a negative overlap, an overlap of more than a week and an expiry in the past with 400', async () => {
    const { id } = await make();
    for (const body of [{ overlapMinutes: -1 }, { overlapMinutes: 10_081 }, { expiresAt: '2020-01-01' }])
      expect((await editor.post(`${keys}/${id}/replace`, body)).status).toBe(400);
  });

  test('refuses an Execute key with 403 if its owner can no longer write', async () => {
    const demotedId = await createUser(svc.database, 'demoted', 'Editor');
    const demoted = await signIn(svc, 'demoted');
    const { id } = (
      await demoted.post(keys, { name: 'CI', scopes: ['Execute'], allowedProjectIds: [project] })
    ).body;
    await setRoles(svc.database, demotedId, ['Viewer']);
    const again = await signIn(svc, 'demoted');
    expect((await again.post(`${keys}/${id}/replace`, {})).body).toMatchObject({
      status: 403,
      code: 'execute-key-needs-editor',
    });
  });

  test('returns 404 for the key of another user, also to an administrator', async () => {
    const { id } = await make();
    const other = await signIn(svc, 'other');
    for (const client of [other, root])
      expect((await client.post(`${keys}/${id}/replace`, {})).status).toBe(404);
  });

  test.each([
    ['key-not-active', 'revoked_at = now()'],
    ['key-not-active', "expires_at = now() - interval '1 s'"],
    ['key-without-projects', 'allowed_project_ids = null'],
    ['key-projects-unreadable', 'allowed_project_ids = array[2147483646]'],
  ])('refuses a key with 409 %s after the change: %s', async (code, change) => {
    const { id } = await make();
    await svc.database.query(`update svc.api_keys set ${change} where id = $1`, [id]);
    expect((await editor.post(`${keys}/${id}/replace`, {})).body).toMatchObject({ status: 409, code });
  });
});

describe('the uses of a key', () => {
  test('are counted by route and by day, also for refused requests, and never by path', async () => {
    const { id, plainTextKey } = await make();
    const key = by(plainTextKey);
    await Promise.all(Array.from({ length: 12 }, () => key.get('/svc/api/projects')));
    await key.get(`/svc/api/projects/${project}`);
    expect((await key.get('/svc/api/users')).status).toBe(403);
    const { body } = await editor.get(`${keys}/${id}/uses`);
    expect(body).toMatchObject({
      useCount: 14,
      operations: [
        { operation: 'GET /svc/api/projects', useCount: 12 },
        { operation: 'GET /svc/api/projects/{id}', useCount: 1 },
        { operation: 'GET /svc/api/users', useCount: 1 },
      ],
      days: [{ day: new Date(body.operations[0].lastUsedAt).toISOString().slice(0, 10), useCount: 14 }],
    });
  });

  test('are counted for the last 30 days', async () => {
    const { id } = await make();
    await svc.database.query(
      `insert into svc.api_key_uses (api_key_id, day, operation, use_count, last_used_at)
       select $1, ((now() at time zone 'UTC')::date - n), 'GET /x', 1, now() from unnest(array[0, 29, 30, 31]) n`,
      [id],
    );
    expect((await editor.get(`${keys}/${id}/uses`)).body.useCount).toBe(2);
  });

  test('other users get 404 for uses and explanation, and an Auditor gets 200', async () => {
    const { id } = await make();
    const [other, auditor] = [await signIn(svc, 'other'), await signIn(svc, 'auditor')];
    for (const what of ['uses', 'explanation']) {
      expect((await other.get(`${keys}/${id}/${what}`)).status).toBe(404);
      expect((await other.get(`${keys}/admin/${id}/${what}`)).status).toBe(403);
      expect((await auditor.get(`${keys}/admin/${id}/${what}`)).status).toBe(200);
      expect((await root.get(`${keys}/admin/2147483646/${what}`)).status).toBe(404);
    }
  });
});

describe('the explanation of a key', () => {
  type Explained = { operation: string; isAllowed: boolean; rule: string };

  test.each([['Read'], ['Execute']])(
    'with the scope %s matches the responses of the routes',
    async (scope) => {
      const { id, plainTextKey } = await make({ scopes: [scope] });
      const key = by(plainTextKey);
      const operations: Explained[] = (await editor.get(`${keys}/${id}/explanation`)).body.operations;
      expect(operations.length).toBeGreaterThan(60);
      const wrong: string[] = [];
      for (const { operation, isAllowed, rule } of operations) {
        const [method = '', route = ''] = operation.split(' ');
        const answer = await key.send(method, route.replaceAll(/\{\w+\}/g, '2147483646'));
        const isRefused = answer.status === 401 || answer.status === 403;
        // Without project permissions the route itself allows the key and returns nothing.
        const isLeftToTheProject = rule.includes('project, which no key');
        if (isRefused === isAllowed && !isLeftToTheProject)
          wrong.push(`${operation}: ${rule} but ${answer.status}`);
        if (isRefused && answer.body.code !== 'session-required') expect(rule).toBe(answer.body.detail);
      }
      expect(wrong).toEqual([]);
    },
  );

  test('lists the projects with their rights, and also the projects that the key can no longer reach', async () => {
    const { id } = await make({ scopes: ['Read'] });
    const lost = (await root.post('/svc/api/projects', { name: 'Lost', description: '' })).body.projectId;
    await root.put(`/svc/api/projects/${lost}/access-mode`, { accessMode: 'Restricted' });
    await svc.database.query('update svc.api_keys set allowed_project_ids = $2 where id = $1', [
      id,
      [project, lost],
    ]);
    const { body } = await editor.get(`${keys}/${id}/explanation`);
    expect(body).toMatchObject({
      works: true,
      reason: null,
      scopes: ['Read'],
      projects: [
        { projectId: project, name: 'Reached', right: 'Read' },
        {
          projectId: lost,
          name: null,
          right: null,
          rule: 'Its owner has no access to it, or it is archived.',
        },
      ],
    });
  });

  test.each([
    ['It was revoked.', 'revoked_at = now()'],
    ['It has expired.', "expires_at = now() - interval '1 s'"],
  ])('states why a key does not work: %s', async (reason, change) => {
    const { id } = await make();
    await svc.database.query(`update svc.api_keys set ${change} where id = $1`, [id]);
    expect((await editor.get(`${keys}/${id}/explanation`)).body).toMatchObject({ works: false, reason });
  });

  test('states that the key lacks Execute because its owner cannot write', async () => {
    const key = await createKey(svc.database, editorId, { scopes: ['Execute'], projectIds: [project] });
    await setRoles(svc.database, editorId, ['Viewer']);
    const { body } = await root.get(`${keys}/admin/${key.id}/explanation`);
    expect(body).toMatchObject({ scopes: ['Read'], scopeRule: expect.stringContaining('may not write') });
    await setRoles(svc.database, editorId, ['Editor']);
  });
});

test('the list shows which keys expire soon', async () => {
  const { id } = await make();
  const shownDays: unknown[] = [];
  for (const days of [0.5, 2, 10, 20]) {
    await svc.database.query('update svc.api_keys set expires_at = $2 where id = $1', [
      id,
      new Date(Date.now() + days * dayMs),
    ]);
    const { items } = (await editor.get(`${keys}?sort=-createdTime`)).body;
    shownDays.push(items.find((item: { id: number }) => item.id === id).endsWithinDays);
  }
  expect(shownDays).toEqual([1, 3, 14, null]);
});
