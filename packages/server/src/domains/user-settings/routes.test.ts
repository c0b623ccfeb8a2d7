import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createKey, createUser, password } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const settings = '/svc/api/user-settings';
const change = `${settings}/change-password`;
const newPassword = 'Another-horse-8-battery';
let svc: RunningService;
let counter = 0;

beforeAll(async () => {
  svc = await startService();
  await setUp(svc);
});
afterAll(() => svc.close());

const person = async (): Promise<{ id: number; name: string; client: HttpClient }> => {
  counter += 1;
  const name = `person${counter}`;
  const id = await createUser(svc.database, name, counter % 2 ? 'Viewer' : []);
  return { id, name, client: await signIn(svc, name) };
};

test('a user can read their own account', async () => {
  for (const { client, name } of [await person(), await person()])
    expect((await client.get(settings)).body).toMatchObject({
      userName: name,
      kind: 'Internal',
      canChangePassword: true,
    });
});

test('a time zone and a theme are stored for the user, in every browser, until they are reset', async () => {
  const { client, name } = await person();
  expect((await client.get(settings)).body).toMatchObject({ timeZone: null, theme: null });
  const changed = await client.patch(settings, { timeZone: 'Asia/Kolkata', theme: 'Dark' });
  expect([changed.status, changed.body.timeZone, changed.body.theme]).toEqual([200, 'Asia/Kolkata', 'Dark']);
  const other = await signIn(svc, name);
  expect((await other.get('/svc/api/auth/me')).body).toMatchObject({
    timeZone: 'Asia/Kolkata',
    theme: 'Dark',
  });
  // Absent members do not change.
  await client.patch(settings, { theme: null });
  expect((await other.get(settings)).body).toMatchObject({ timeZone: 'Asia/Kolkata', theme: null });
  expect((await client.get('/svc/api/user-settings/sessions')).body.items[0].signedInAt).toMatch(/Z$/);
});

test('an unknown time zone and an unknown theme get 400', async () => {
  const { client } = await person();
  const refused = await client.patch(settings, { timeZone: 'Mars/Olympus' });
  expect([refused.status, refused.body.code]).toEqual([400, 'unknown-time-zone']);
  expect((await client.patch(settings, { theme: 'Sepia' })).status).toBe(400);
  expect((await client.patch(settings, { timeZone: '' })).status).toBe(400);
  expect((await client.get(settings)).body).toMatchObject({ timeZone: null, theme: null });
});

test('a changed password ends every session and gives this browser a new one with the same expiry', async () => {
  const { client, name, id } = await person();
  const other = await signIn(svc, name);
  const copy = createHttpClient(svc.origin);
  copy.cookies.set('Svc.Auth', client.cookies.get('Svc.Auth') ?? '');
  const expiresAt = (await client.get('/svc/api/auth/me')).body.sessionExpiresAt;
  expect((await client.post(change, { currentPassword: password, newPassword })).status).toBe(204);
  expect((await client.get('/svc/api/auth/me')).body).toMatchObject({
    userName: name,
    sessionExpiresAt: expiresAt,
  });
  for (const gone of [other, copy]) expect((await gone.get('/svc/api/auth/permissions')).status).toBe(401);
  await signIn(svc, { userName: name, password: newPassword });
  await expect(signIn(svc, name)).rejects.toThrow('401');
  const { rows } = await svc.database.query(
    "select event from svc.audit_events where event = 'users.password_changed' and subject_id = $1",
    [id],
  );
  expect(rows).toHaveLength(1);
});

test('a password change is refused for a wrong, weak or unchanged password, and for an account without a password', async () => {
  const { client, id } = await person();
  const post = async (currentPassword: string, newPasswordText: string) =>
    (await client.post(change, { currentPassword, newPassword: newPasswordText })).body.code;
  expect(await post('wrong', newPassword)).toBe('wrong-password');
  expect(await post(password, 'short')).toBe('weak-password');
  expect(await post(password, password)).toBe('same-password');
  await svc.database.query(
    "update svc.users set kind = 'External', password_hash = null, issuer = 'https://idp', subject = 's' where id = $1",
    [id],
  );
  expect(await post(password, newPassword)).toBe('no-password');
});

test('a key gets 403 for the settings of its owner', async () => {
  const { id } = await person();
  const key = await createKey(svc.database, id, { scopes: ['Execute'], projectIds: null });
  const client = createHttpClient(svc.origin, key.authorization);
  for (const answer of [
    await client.get(settings),
    await client.get(`${settings}/sessions`),
    await client.post(change, { currentPassword: password, newPassword }),
  ])
    expect(answer.status).toBe(403);
});

test('the eleventh attempt of a user with a wrong current password gets 429', async () => {
  const { client } = await person();
  const statuses = [];
  for (let count = 0; count < 11; count += 1)
    statuses.push((await client.post(change, { currentPassword: `wrong${count}`, newPassword })).status);
  expect(statuses).toEqual([...Array(10).fill(400), 429]);
});

describe('sessions', () => {
  test('a user can list their own sessions and end one of them', async () => {
    const { client, name } = await person();
    const other = await signIn(svc, name);
    const { body } = await client.get(`${settings}/sessions`);
    expect(body).toMatchObject({
      totalCount: 2,
      items: [{ isCurrent: false }, { isCurrent: true, authMethod: 'Password' }],
    });
    expect(JSON.stringify(body)).not.toContain('token');
    expect((await client.delete(`${settings}/sessions/${body.items[0].id}`)).status).toBe(204);
    expect((await other.get('/svc/api/auth/permissions')).status).toBe(401);
    expect((await client.get('/svc/api/auth/permissions')).status).toBe(200);
  });

  test('a session of another user gets 404', async () => {
    const [one, other] = [await person(), await person()];
    const { body } = await one.client.get(`${settings}/sessions`);
    expect((await other.client.delete(`${settings}/sessions/${body.items[0].id}`)).status).toBe(404);
    expect((await one.client.get('/svc/api/auth/permissions')).status).toBe(200);
  });
});

describe('settings that a user can change', () => {
  test('display name and address are changed, omitted fields are unchanged, and null clears a field', async () => {
    const { client, id } = await person();
    const named = await client.patch(settings, { displayName: ' Mia ', email: 'mia@example.org' });
    expect([named.status, named.body]).toEqual([
      200,
      expect.objectContaining({ displayName: 'Mia', email: 'mia@example.org', canChangeNames: true }),
    ]);
    await client.patch(settings, { displayName: null });
    expect((await client.get(settings)).body).toMatchObject({ displayName: null, email: 'mia@example.org' });
    const { rows } = await svc.database.query(
      "select count(*)::int as changes from svc.audit_events where event = 'users.updated' and subject_id = $1",
      [id],
    );
    expect(rows).toEqual([{ changes: 2 }]);
  });

  test('the notice kinds without mail are stored', async () => {
    const { client } = await person();
    await client.patch(settings, { unmailedNoticeKinds: ['TaskCommented', 'RunMissed'] });
    expect((await client.get(settings)).body.unmailedNoticeKinds).toEqual(['TaskCommented', 'RunMissed']);
  });

  test('an invalid address, an unknown notice kind, and an unknown setting get 400', async () => {
    const { client } = await person();
    for (const change of [
      { email: 'nobody' },
      { unmailedNoticeKinds: ['Everything'] },
      { unmailedNoticeKinds: ['RunFailed', 'RunFailed'] },
      { roles: ['Admin'] },
      { isSuperAdmin: true },
      { userName: 'other' },
    ])
      expect((await client.patch(settings, change)).status, JSON.stringify(change)).toBe(400);
  });

  test('names that an identity provider supplies cannot be changed: 409', async () => {
    const { client, id } = await person();
    await svc.database.query(
      "update svc.users set kind = 'External', password_hash = null, issuer = 'https://idp', subject = $2 where id = $1",
      [id, `names-${id}`],
    );
    const { status, body } = await client.patch(settings, { displayName: 'Other' });
    expect([status, body.code]).toEqual([409, 'names-from-provider']);
    expect((await client.patch(settings, { unmailedNoticeKinds: ['RunFailed'] })).status).toBe(200);
  });
});
