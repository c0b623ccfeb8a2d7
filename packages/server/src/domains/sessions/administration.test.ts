import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const users = '/svc/api/users';
let svc: RunningService;
let root: HttpClient;
let userAdmin: HttpClient;
let mia: HttpClient;
let miaId: number;

beforeAll(async () => {
  svc = await startService();
  root = await setUp(svc);
  await createUser(svc.database, 'useradmin', 'UserAdmin');
  userAdmin = await signIn(svc, 'useradmin');
  miaId = await createUser(svc.database, 'mia', 'Viewer');
  mia = await signIn(svc, 'mia');
});
afterAll(() => svc.close());

const sessionsOf = async (userId: number, as = userAdmin) => as.get(`${users}/${userId}/sessions`);

describe('a UserAdmin', () => {
  test('sees the sessions of a user, latest first, without any value that could be used to sign in', async () => {
    await signIn(svc, 'mia');
    const { status, body } = await sessionsOf(miaId);
    expect(status).toBe(200);
    expect(body.totalCount).toBe(2);
    const times = body.items.map(({ signedInAt }: { signedInAt: string }) => signedInAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(body.items[0]).toMatchObject({ isCurrent: false, authMethod: 'Password' });
    expect(JSON.stringify(body)).not.toMatch(/token|stamp|hash/i);
    expect((await sessionsOf(miaId, root)).body.totalCount).toBe(2);
  });

  test('ends one session: its next request is refused, other sessions continue, and the audit log names the administrator', async () => {
    const other = await signIn(svc, 'mia');
    const [latest] = (await sessionsOf(miaId)).body.items;
    expect((await userAdmin.delete(`${users}/${miaId}/sessions/${latest.id}`)).status).toBe(204);
    expect((await other.get('/svc/api/projects')).status).toBe(401);
    expect((await mia.get('/svc/api/projects')).status).toBe(200);
    const { rows } = await svc.database.query(
      `select e.detail, u.user_name as by from svc.audit_events e join svc.users u on u.id = e.actor_user_id
        where e.event = 'auth.session_ended' and e.subject_kind = 'session' and e.subject_id = $1`,
      [latest.id],
    );
    expect(rows).toEqual([{ detail: { userId: miaId }, by: 'useradmin' }]);
    expect((await userAdmin.delete(`${users}/${miaId}/sessions/${latest.id}`)).status).toBe(404);
  });
});

describe('refusals', () => {
  test('an unknown user, an unknown session, and a session of another user get 404', async () => {
    expect((await sessionsOf(2_000_000)).status).toBe(404);
    const [session] = (await sessionsOf(miaId)).body.items;
    const otherId = await createUser(svc.database, 'otto', 'Viewer');
    expect((await userAdmin.delete(`${users}/${otherId}/sessions/${session.id}`)).status).toBe(404);
    expect((await userAdmin.delete(`${users}/${miaId}/sessions/2000000`)).status).toBe(404);
    expect((await sessionsOf(miaId)).body.items.map(({ id }: { id: number }) => id)).toContain(session.id);
  });

  test('a user who does not administer users gets 403, and a caller who is not signed in gets 401', async () => {
    const [session] = (await sessionsOf(miaId)).body.items;
    expect((await sessionsOf(miaId, mia)).status).toBe(403);
    expect((await mia.delete(`${users}/${miaId}/sessions/${session.id}`)).status).toBe(403);
    expect((await fetch(`${svc.origin}${users}/${miaId}/sessions`)).status).toBe(401);
  });
});
