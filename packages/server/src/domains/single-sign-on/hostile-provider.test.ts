import { createHttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claims, claimsNow, userInfo } from './testing/attacks/attack.ts';
import { attacks } from './testing/attacks/index.ts';
import { type Spoil, startHostileProvider } from './testing/hostile-provider.ts';

const section = 'Svc:Authentication:Oidc';
let provider: Awaited<ReturnType<typeof startHostileProvider>>;
let svc: RunningService;

beforeAll(async () => {
  provider = await startHostileProvider('svc');
  svc = await startService({ config: settings() });
  await setUp(svc);
});
afterAll(async () => {
  await svc.close();
  await provider.close();
});

const settings = () => ({
  [`${section}:Enabled`]: true,
  [`${section}:Authority`]: provider.issuer,
  [`${section}:ClientId`]: 'svc',
  [`${section}:ClientSecret`]: 'client-secret-of-the-tests-0123456789',
  [`${section}:AllowedTenants`]: ['tenant-1'],
  [`${section}:RequiredGroups`]: ['group-1'],
  [`${section}:RequiredRoles`]: ['role-1'],
  [`${section}:RequireMfa`]: true,
});

async function signIn(spoil: Spoil, on = svc) {
  const client = createHttpClient(on.origin);
  const begun = await client.get('/svc/api/auth/sso/challenge');
  if (begun.status !== 302) return { status: begun.status, client };
  const answer = await client.get(provider.authorize(begun.headers.get('location') ?? '', spoil));
  return { status: answer.status, location: answer.headers.get('location'), text: answer.text, client };
}

/** Returns the audit events of failed sign-ins, newest last. */
const failures = async (): Promise<{ detail: Record<string, unknown> }[]> =>
  (
    await svc.database.query(
      "select detail, actor_kind, client_address from svc.audit_events where event = 'auth.sign_in_failed' order by id",
    )
  ).rows;

const refusedMessage = 'a sign-in at the identity provider was refused';

test('the valid sign-in, which every attack changes in one detail, succeeds', async () => {
  const { location, client } = await signIn(() => undefined);
  expect(location).toBe('/svc/home');
  expect((await client.get('/svc/api/auth/me')).body.displayName).toBe('Victim');
});

test.each<[string, Spoil, string]>([
  ['with a name in the user info but not in the ID token', userInfo({}), 'Victim of user info'],
  ['whose subject has 255 characters', claims({ sub: 'v'.repeat(255), name: 'Long' }), 'Long'],
  [
    'whose subject has letters of several scripts and an emoji',
    claims({ sub: 'Zoë|1 😀', name: 'Zoë' }),
    'Zoë',
  ],
  [
    'with a token that was issued four minutes in the future',
    claimsNow(() => ({ iat: Math.floor(Date.now() / 1_000) + 240 })),
    'Victim',
  ],
  ['with a token that expires at the end of the year 9999', claims({ exp: 253_402_300_799 }), 'Victim'],
])('a sign-in %s succeeds', async (_name, change, displayName) => {
  const { location, client } = await signIn(change);
  expect(location).toBe('/svc/home');
  expect((await client.get('/svc/api/auth/me')).body.displayName).toBe(displayName);
});

test.each(Object.entries(attacks))(
  '%s is refused for the expected reason, and no user is signed in',
  async (_name, attack) => {
    const before = (await failures()).length;
    const loggedBefore = svc.log.length;
    const { location, text, client } = await signIn(attack.spoil);
    expect(location).toBe(`/svc/error?reason=sso-${attack.refusal}`);
    const logged = svc.log.slice(loggedBefore).filter(({ msg }) => msg === refusedMessage);
    expect(logged).toHaveLength(attack.because ? 1 : 0);
    if (attack.because)
      expect([logged[0]?.['failure'], logged[0]?.['reason']].join(': ')).toMatch(attack.because);
    expect(client.cookies.has('Svc.Auth')).toBe(false);
    // One audit event. Neither the redirect, the event nor the log contains a part of the token.
    const rows = (await failures()).slice(before);
    expect(rows).toMatchObject([
      { detail: { method: 'Oidc', reason: location?.split('sso-')[1] }, actor_kind: 'anonymous' },
    ]);
    const outputs = JSON.stringify([location, text, rows, svc.log]);
    for (const part of provider.sentIdToken().split('.'))
      if (part.length > 8) expect(outputs).not.toContain(part);
    expect(JSON.stringify([location, text])).not.toMatch(/victim/i);
  },
);

test('there are at least 85 attacks', () => {
  expect(Object.keys(attacks).length).toBeGreaterThanOrEqual(85);
});

describe('a callback', () => {
  const begin = async () => {
    const client = createHttpClient(svc.origin);
    const begun = await client.get('/svc/api/auth/sso/challenge');
    return { client, callback: provider.authorize(begun.headers.get('location') ?? '', () => undefined) };
  };
  const outcome = async (client: ReturnType<typeof createHttpClient>, callback: string) => {
    const before = (await failures()).length;
    const answer = await client.get(callback);
    const location = answer.headers.get('location');
    return { location, rows: (await failures()).slice(before).map(({ detail }) => detail['reason']) };
  };

  test('that is replayed, even with the cookie of its sign-in, is refused and audited once', async () => {
    const { client, callback } = await begin();
    const cookie = client.cookies.get('Svc.SignIn') ?? '';
    expect(await outcome(client, callback)).toEqual({ location: '/svc/home', rows: [] });
    const expired = { location: '/svc/error?reason=sso-expired', rows: ['expired'] };
    expect(await outcome(client, callback)).toEqual(expired);
    const thief = createHttpClient(svc.origin);
    thief.cookies.set('Svc.SignIn', cookie);
    expect(await outcome(thief, callback)).toEqual(expired);
    expect(thief.cookies.has('Svc.Auth')).toBe(false);
  });

  test('of one browser in another browser is refused and audited once, in both directions', async () => {
    const [one, other] = [await begin(), await begin()];
    const refused = { location: '/svc/error?reason=sso-provider', rows: ['provider'] };
    expect(await outcome(one.client, other.callback)).toEqual(refused);
    expect(await outcome(other.client, one.callback)).toEqual(refused);
    const stranger = createHttpClient(svc.origin);
    expect(await outcome(stranger, one.callback)).toEqual({
      location: '/svc/error?reason=sso-expired',
      rows: ['expired'],
    });
    for (const client of [one.client, other.client, stranger])
      expect(client.cookies.has('Svc.Auth')).toBe(false);
  });

  test('with an invented cookie is refused', async () => {
    const { callback } = await begin();
    for (const cookie of ['x', 'A'.repeat(43), '%00', `${'A'.repeat(42)}%`]) {
      const client = createHttpClient(svc.origin);
      client.cookies.set('Svc.SignIn', cookie);
      expect((await outcome(client, callback)).location).toBe('/svc/error?reason=sso-expired');
    }
  });
});

describe('a discovery document', () => {
  const lies: Record<string, Spoil> = {
    'another issuer': (d) => {
      d.discovery['issuer'] = 'https://evil.example';
    },
    'no authorization endpoint': (d) => {
      delete d.discovery['authorization_endpoint'];
    },
  };
  test.each(Object.entries(lies))('with %s is rejected with 503', async (_name, spoil) => {
    provider.spoilFromStart(spoil);
    const fresh = await startService({ on: svc, config: settings() });
    const { status, client } = await signIn(spoil, fresh);
    expect(status).toBe(503);
    expect(client.cookies.has('Svc.Auth')).toBe(false);
    await fresh.close();
  });
});

test('the text of the provider is not in the response, and its tokens are not in the log', async () => {
  const { location } = await signIn((d) => {
    d.tokenStatus = 400;
    d.token = { error: 'invalid_grant', error_description: 'text-of-the-provider' };
  });
  expect(location).not.toContain('text-of-the-provider');
  expect(JSON.stringify(svc.log)).not.toMatch(/eyJ[\w-]{20}/);
});
