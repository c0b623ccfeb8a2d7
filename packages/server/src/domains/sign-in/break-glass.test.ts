import { createHttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { createUser, password } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const login = '/svc/api/auth/login';
const me = '/svc/api/auth/me';
let svc: RunningService;

beforeAll(async () => {
  svc = await startService();
  await setUp(svc);
  await createUser(svc.database, 'editor', 'Editor');
});
afterAll(() => svc.close());

describe('break-glass sign-in', () => {
  const names = ['editor', 'Warden'];
  let closed: RunningService;
  beforeAll(async () => {
    await createUser(svc.database, 'Warden', 'Admin');
    closed = await startService({
      on: svc,
      config: {
        'Svc:UserManagement:LocalLogin:Enabled': false,
        'Svc:UserManagement:LocalLogin:BreakGlassUserNames': names,
      },
    });
  });
  afterAll(() => closed.close());

  test('named users can sign in while local login is off, and each sign-in logs event 7119 at Warning', async () => {
    await signIn(closed, 'Warden');
    const entries = closed.log.filter((entry) => entry['eventId'] === 7119);
    expect(entries).toMatchObject([{ level: 40, userName: 'Warden', event: 'BreakGlassSignIn' }]);
    expect((await createHttpClient(closed.origin).get('/svc/api/auth/sso')).body).toMatchObject({
      localLoginEnabled: false,
      breakGlassEnabled: true,
    });
  });

  test.each(['warden', 'WARDEN', superAdmin.userName, 'nobody'])(
    'refuses a user name that the settings do not contain in exactly this spelling with 401: %s',
    async (username) => {
      const answer = await createHttpClient(closed.origin).post(login, { username, password: password });
      expect(answer.status).toBe(401);
    },
  );

  test('refuses a disabled break-glass user with 401', async () => {
    await svc.database.query("update svc.users set is_enabled = false where user_name = 'editor'");
    const answer = await createHttpClient(closed.origin).post(login, {
      username: 'editor',
      password: password,
    });
    await svc.database.query("update svc.users set is_enabled = true where user_name = 'editor'");
    expect(answer.status).toBe(401);
  });

  test('does not exist without a named user: the route gets 404', async () => {
    const external = await startService({
      on: svc,
      config: {
        'Svc:UserManagement:LocalLogin:Enabled': false,
        'Svc:Authentication:ExternalLogin:LoginUrl': 'https://app.example/login',
      },
    });
    const client = createHttpClient(external.origin);
    expect((await client.post(login, { username: 'editor', password: password })).status).toBe(404);
    expect((await client.get(me)).body.externalLogin).toEqual({ loginUrl: 'https://app.example/login' });
    await external.close();
  });

  test('the service does not start if no user could sign in', async () => {
    await expect(
      startService({ on: svc, config: { 'Svc:UserManagement:LocalLogin:Enabled': false } }),
    ).rejects.toThrow('Svc:UserManagement:LocalLogin:Enabled');
  });
});
