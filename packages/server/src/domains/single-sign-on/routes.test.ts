import { type Answer, createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { passThrough, startTestProvider, type TestProvider, testClient } from './testing/provider.ts';

const section = 'Svc:Authentication:Oidc';
const challenge = '/svc/api/auth/sso/challenge';
const tenant = 'tenant-1';

let provider: TestProvider;
let first: RunningService;
let root: HttpClient;
const running: RunningService[] = [];

const settings = (change: Record<string, unknown> = {}) => ({
  [`${section}:Enabled`]: true,
  [`${section}:Authority`]: provider.issuer,
  [`${section}:ClientId`]: testClient.id,
  [`${section}:ClientSecret`]: testClient.secret,
  [`${section}:AllowedTenants`]: [tenant],
  [`${section}:EnableFrontChannelLogout`]: true,
  'Svc:Authorization:IdpRoles': { 'svc-audit': ['Auditor'], 'svc-all': ['UserAdmin', 'Approver'] },
  ...change,
});
/** Starts a service with these settings on the same database. */
async function withSettings(change: Record<string, unknown>): Promise<RunningService> {
  const svc = await startService({ on: first, config: settings(change) });
  running.push(svc);
  return svc;
}

beforeAll(async () => {
  provider = await startTestProvider(() => running.map(({ origin }) => `${origin}/signin-oidc`));
  first = await startService({ config: settings() });
  running.push(first);
  root = await setUp(first);
});
afterAll(async () => {
  for (const svc of running.toReversed()) await svc.close();
  await provider.close();
});

let counter = 0;
beforeEach(() => {
  counter += 1;
  provider.person = {
    sub: `person-${counter}`,
    tid: tenant,
    name: `Person ${counter}`,
    preferred_username: `person${counter}`,
    email: `person${counter}@example.org`,
  };
});

type Attempt = { client: HttpClient; callback: string; answer: Answer };
async function attempt(
  svc = first,
  client = createHttpClient(svc.origin),
  returnUrl = '/svc/projects/1',
): Promise<Attempt> {
  const begun = await client.get(`${challenge}?returnUrl=${encodeURIComponent(returnUrl)}`);
  expect(begun.status).toBe(302);
  const callback = (await passThrough(provider, begun.headers.get('location') ?? '')).slice(
    svc.origin.length,
  );
  return { client, callback, answer: await client.get(callback) };
}
const whereTo = ({ answer }: Attempt) => [answer.status, answer.headers.get('location')];
const me = async (client: HttpClient) => (await client.get('/svc/api/auth/me')).body;

describe('a sign-in', () => {
  test('uses the authorization code flow with PKCE, state and nonce, and requests the configured scopes', async () => {
    const answer = await createHttpClient(first.origin).get(challenge);
    const url = new URL(answer.headers.get('location') ?? '');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: testClient.id,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      redirect_uri: `${first.origin}/signin-oidc`,
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(url.searchParams.get(name)?.length).toBeGreaterThan(40);
    const [cookie] = answer.headers.getSetCookie().filter((line) => line.startsWith('Svc.SignIn='));
    expect(cookie).toMatch(/Max-Age=600; Path=\/; HttpOnly; SameSite=Lax/);
  });

  test('creates the user without a role, opens a session, and ends at the page where it began', async () => {
    const done = await attempt();
    expect(whereTo(done)).toEqual([302, '/svc/projects/1']);
    expect(await me(done.client)).toMatchObject({
      isAuthenticated: true,
      userName: `person${counter}`,
      displayName: `Person ${counter}`,
      email: `person${counter}@example.org`,
      roles: [],
    });
    const { rows } = await first.database.query(
      'select kind, issuer, subject from svc.users where user_name = $1',
      [`person${counter}`],
    );
    expect(rows).toEqual([{ kind: 'External', issuer: provider.issuer, subject: `person-${counter}` }]);
    expect(done.answer.headers.getSetCookie().join()).not.toContain('eyJ');
    // The second sign-in finds the same user, although the name has changed.
    provider.person = { ...provider.person, name: 'Renamed', preferred_username: 'renamed' };
    const again = await attempt();
    expect(await me(again.client)).toMatchObject({ userName: `person${counter}`, displayName: 'Renamed' });
  });

  test('is offered with its label', async () => {
    const svc = await withSettings({ [`${section}:DisplayName`]: 'Company account' });
    expect((await createHttpClient(svc.origin).get('/svc/api/auth/sso')).body).toMatchObject({
      enabled: true,
      displayName: 'Company account',
    });
  });

  test('gives a new user the default role', async () => {
    const svc = await withSettings({ [`${section}:DefaultRoleName`]: 'Viewer' });
    expect((await me((await attempt(svc)).client)).roles).toEqual(['Viewer']);
  });

  test('grants the permissions of app roles, removes them with the role, and does not change granted roles', async () => {
    provider.person['roles'] = ['svc-audit', 'svc-all', 'unknown'];
    const { client } = await attempt();
    expect((await me(client)).roles).toEqual(['Approver', 'Auditor', 'UserAdmin']);
    const { userId } = await me(client);
    await root.put(`/svc/api/users/${userId}/roles`, { roles: ['Viewer'] });
    provider.person['roles'] = ['svc-audit'];
    expect((await me((await attempt()).client)).roles).toEqual(['Auditor', 'Viewer']);
    delete provider.person['roles'];
    expect((await me((await attempt()).client)).roles).toEqual(['Viewer']);
  });

  test('never takes over a user with the same name or email', async () => {
    const id = await createUser(first.database, `person${counter}`, 'Admin');
    await first.database.query('update svc.users set email = $2 where id = $1', [
      id,
      `person${counter}@example.org`,
    ]);
    const { client } = await attempt();
    const user = await me(client);
    expect(user.userId).not.toBe(id);
    expect(user.userName).toMatch(new RegExp(`^person${counter}-[0-9a-f]{8}$`));
    expect(user.roles).toEqual([]);
  });

  test('creates one user for several simultaneous first sign-ins', async () => {
    const outcomes = await Promise.all([attempt(), attempt(), attempt()]);
    const ids = await Promise.all(outcomes.map(async ({ client }) => (await me(client)).userId));
    expect(new Set(ids).size).toBe(1);
  });

  test('replaces the earlier session of the browser', async () => {
    const { client } = await attempt();
    const before = client.cookies.get('Svc.Auth') ?? '';
    await attempt(first, client);
    const copy = createHttpClient(first.origin);
    copy.cookies.set('Svc.Auth', before);
    expect((await copy.get('/svc/api/auth/permissions')).status).toBe(401);
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/svc\\..\\x',
    '/svc/../x',
    '/other',
    '/svc/%2f%2fevil.example',
    '/svcx',
    '/svc/api/auth/logout',
  ])('ends at the home page for the unsafe return address %s', async (returnUrl) => {
    expect(whereTo(await attempt(first, undefined, returnUrl))).toEqual([302, '/svc/home']);
  });
});

describe('a callback', () => {
  const outcome = async (client: HttpClient, callback: string) =>
    (await client.get(callback)).headers.get('location');

  test('can be used only once', async () => {
    const { client, callback } = await attempt();
    expect(await outcome(client, callback)).toBe('/svc/error?reason=sso-expired');
  });

  test('is accepted only in the browser that began the sign-in, and with its state', async () => {
    const client = createHttpClient(first.origin);
    const begun = await client.get(challenge);
    const callback = (await passThrough(provider, begun.headers.get('location') ?? '')).slice(
      first.origin.length,
    );
    expect(await outcome(createHttpClient(first.origin), callback)).toBe('/svc/error?reason=sso-expired');
    const other = createHttpClient(first.origin);
    await other.get(challenge);
    expect(await outcome(other, callback)).toBe('/svc/error?reason=sso-provider');
    expect(await outcome(client, callback)).toBe('/svc/home');
  });

  test.each([
    (url: URL) => url.searchParams.delete('state'),
    (url: URL) => url.searchParams.set('state', 'x'),
    (url: URL) => url.searchParams.append('state', 'x'),
    (url: URL) => url.searchParams.delete('code'),
    (url: URL) => url.searchParams.set('code', 'x'),
    (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
    (url: URL) => url.searchParams.delete('iss'),
    (url: URL) => url.searchParams.set('error', 'access_denied'),
  ])('is refused after a modification: case %$', async (change) => {
    const client = createHttpClient(first.origin);
    const begun = await client.get(challenge);
    const url = new URL(await passThrough(provider, begun.headers.get('location') ?? ''));
    change(url);
    expect(await outcome(client, url.href.slice(first.origin.length))).toBe('/svc/error?reason=sso-provider');
    expect(client.cookies.has('Svc.Auth')).toBe(false);
  });
});

describe('front-channel sign-out', () => {
  test('ends the session that the provider names, and gives every caller the same response', async () => {
    provider.person['sid'] = 'session-of-the-provider';
    const { client } = await attempt();
    const { rows } = await first.database.query(
      'select identity_provider_session as sid from svc.sessions s join svc.users u on u.id = s.user_id where u.subject = $1',
      [provider.person.sub],
    );
    const sid = encodeURIComponent(rows[0].sid);
    const anyone = createHttpClient(first.origin);
    const unknown = await anyone.get('/signout-oidc?sid=unknown');
    const foreign = await anyone.get(
      `/signout-oidc?sid=${sid}&iss=${encodeURIComponent('https://evil.example')}`,
    );
    expect([unknown.status, foreign.status]).toEqual([200, 200]);
    expect((await client.get('/svc/api/auth/permissions')).status).toBe(200);
    const answer = await anyone.get(`/signout-oidc?sid=${sid}&iss=${encodeURIComponent(provider.issuer)}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toBe(
      `default-src 'none'; frame-ancestors ${provider.issuer}`,
    );
    expect((await client.get('/svc/api/auth/permissions')).status).toBe(401);
  });
});

describe('settings of single sign-on', () => {
  test.each([
    [`${section}:Authority`, undefined],
    [`${section}:Authority`, 'http://idp.example'],
    [`${section}:ClientId`, undefined],
    [`${section}:ClientSecret`, undefined],
    [`${section}:AllowedTenants`, []],
    [`${section}:DefaultRoleName`, 'Admin'],
    [`${section}:DefaultRoleName`, 'Auditor'],
    [`${section}:Scopes`, 'profile'],
    [`${section}:CallbackPath`, 'signin'],
    ['Svc:Authorization:IdpRoles', { x: ['Admin'] }],
  ])('%s = %o stops the start with the name of the key', async (key, value) => {
    await expect(withSettings({ [key]: value })).rejects.toThrow(key);
  });

  test('a warning is logged if any tenant is allowed at a provider that serves all tenants', async () => {
    const warnings = async (authority: string) => {
      const svc = await withSettings({
        [`${section}:Authority`]: authority,
        [`${section}:AllowAnyTenant`]: true,
      });
      return svc.log
        .filter((entry) => entry['setting'] === `${section}:AllowAnyTenant`)
        .map(({ level }) => level);
    };
    expect(await warnings('https://login.microsoftonline.com/common/v2.0')).toEqual([40]);
    expect(await warnings('https://idp.example')).toEqual([]);
  });

  test('while it is disabled, its routes get 404', async () => {
    const svc = await withSettings({ [`${section}:Enabled`]: false });
    const client = createHttpClient(svc.origin);
    for (const path of [challenge, '/signin-oidc', '/signout-oidc'])
      expect((await client.get(path)).status).toBe(404);
  });

  test('a provider that does not respond causes 503', async () => {
    const svc = await withSettings({ [`${section}:Authority`]: 'http://127.0.0.1:1' });
    expect((await createHttpClient(svc.origin).get(challenge)).status).toBe(503);
  });

  test('before the setup is complete, its routes redirect to the setup', async () => {
    const svc = await startService({ config: settings() });
    const answer = await createHttpClient(svc.origin).get(challenge);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/svc/setup']);
    expect((await createHttpClient(svc.origin).get('/signin-oidc?code=x')).headers.get('location')).toBe(
      '/svc/setup',
    );
    await svc.close();
  });
});
