import { createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestClient, setUpAdmin, startTestSvc, type TestSvc } from '../../testing.ts';
import { type Spoil, startHostileProvider } from './testing/hostile-provider.ts';

const section = 'Svc:Authentication:Oidc';
let provider: Awaited<ReturnType<typeof startHostileProvider>>;
let svc: TestSvc;

beforeAll(async () => {
  provider = await startHostileProvider('svc');
  svc = await startTestSvc({ config: settings() });
  await setUpAdmin(svc.origin);
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
  const client = createTestClient(on.origin);
  const begun = await client.get('/svc/api/auth/sso/challenge');
  if (begun.status !== 302) return { status: begun.status, client };
  const answer = await client.get(provider.authorize(begun.headers.get('location') ?? '', spoil));
  return { status: answer.status, location: answer.headers.get('location'), text: answer.text, client };
}

/** What the audit holds of failed sign-ins, newest last. */
const failures = async (): Promise<{ detail: Record<string, unknown> }[]> =>
  (
    await svc.database.query(
      "select detail, actor_kind, client_address from svc.audit_events where event = 'auth.sign_in_failed' order by id",
    )
  ).rows;

const hourSeconds = 3_600;
const seconds = () => Math.floor(Date.now() / 1_000);

/** Each changes one thing about a sound sign-in. */
const attacks: Record<string, Spoil> = {
  'a token without a signature (alg none)': (d) => {
    d.header['alg'] = 'none';
    d.signing.kind = 'none';
  },
  'a token that says none but carries a signature': (d) => {
    d.header['alg'] = 'none';
  },
  'a signature by a key that is not published': (d, { otherKey }) => {
    d.signing.key = otherKey;
  },
  'HS256 with the public key as the secret': (d, { publicPem }) => {
    d.header['alg'] = 'HS256';
    d.signing = { kind: 'HS256', key: createPublicKey(publicPem) };
  },
  'an algorithm that is not in the list': (d) => {
    d.header['alg'] = 'RS512';
  },
  'an unknown key id': (d) => {
    d.header['kid'] = 'k2';
  },
  'a key inside the header': (d, { otherKey }) => {
    d.header['kid'] = 'k9';
    d.header['jwk'] = createPublicKey(otherKey as never).export({ format: 'jwk' });
    d.signing.key = otherKey;
  },
  'a critical header that nobody knows': (d) => {
    d.header['crit'] = ['exp2'];
    d.header['exp2'] = 1;
  },
  'an unencoded payload': (d) => {
    d.header['b64'] = false;
    d.header['crit'] = ['b64'];
  },
  'another issuer': (d) => {
    d.claims['iss'] = 'https://evil.example';
  },
  'the issuer with a slash': (d) => {
    d.claims['iss'] = `${provider.issuer}/`;
  },
  'no issuer': (d) => {
    delete d.claims['iss'];
  },
  'another audience': (d) => {
    d.claims['aud'] = 'another-client';
  },
  'no audience': (d) => {
    delete d.claims['aud'];
  },
  'an audience list without us': (d) => {
    d.claims['aud'] = ['a', 'b'];
  },
  'several audiences and another authorized party': (d) => {
    d.claims['aud'] = ['svc', 'other'];
    d.claims['azp'] = 'other';
  },
  'several audiences and no authorized party': (d) => {
    d.claims['aud'] = ['svc', 'other'];
  },
  'an expired token': (d) => {
    d.claims['exp'] = seconds() - hourSeconds;
  },
  'no expiry': (d) => {
    delete d.claims['exp'];
  },
  'an expiry that is a text': (d) => {
    d.claims['exp'] = String(seconds() + hourSeconds);
  },
  'a token that is not valid yet': (d) => {
    d.claims['nbf'] = seconds() + hourSeconds;
  },
  'no issue time': (d) => {
    delete d.claims['iat'];
  },
  'another nonce': (d) => {
    d.claims['nonce'] = 'n';
  },
  'no nonce': (d) => {
    delete d.claims['nonce'];
  },
  'no subject': (d) => {
    delete d.claims['sub'];
  },
  'an empty subject': (d) => {
    d.claims['sub'] = '';
  },
  'a subject that is a number': (d) => {
    d.claims['sub'] = 1;
  },
  'a subject that is a list': (d) => {
    d.claims['sub'] = ['victim'];
  },
  'an ID token that is no token': (d) => {
    d.idToken = 'x.y.z';
  },
  'an ID token of five parts': (d) => {
    d.idToken = 'a.b.c.d.e';
  },
  'no ID token': (d) => {
    d.idToken = '';
  },
  'no access token': (d) => {
    delete d.token['access_token'];
  },
  'another kind of token': (d) => {
    d.token['token_type'] = 'mac';
  },
  'an error of the token endpoint': (d) => {
    d.tokenStatus = 400;
    d.token = { error: 'invalid_grant' };
  },
  'user info of somebody else': (d) => {
    d.userInfo['sub'] = 'attacker';
  },
  'user info without a subject': (d) => {
    delete d.userInfo['sub'];
  },
  'a redirect that names another issuer': (d) => {
    d.callback['iss'] = 'https://evil.example';
  },
  'a redirect without the issuer that was promised': (d) => {
    delete d.callback['iss'];
  },
  'a redirect with another state': (d) => {
    d.callback['state'] = 's';
  },
  'a redirect with an error': (d) => {
    d.callback = { error: 'access_denied', iss: provider.issuer };
  },
  'a tenant that comes from the user info alone': (d) => {
    delete d.claims['tid'];
    d.userInfo['tid'] = 'tenant-1';
  },
  'no tenant at all': (d) => {
    delete d.claims['tid'];
  },
  'another tenant': (d) => {
    d.claims['tid'] = 'tenant-2';
  },
  'the tenant in capitals': (d) => {
    d.claims['tid'] = 'TENANT-1';
  },
  'a tenant list': (d) => {
    d.claims['tid'] = ['tenant-1'];
  },
  'an empty tenant': (d) => {
    d.claims['tid'] = '';
  },
  'a guest': (d) => {
    d.claims['acct'] = 1;
  },
  'a guest, as a text': (d) => {
    d.claims['acct'] = '1';
  },
  'a guest, as a list': (d) => {
    d.claims['acct'] = [1];
  },
  'a guest, as true': (d) => {
    d.claims['acct'] = true;
  },
  'an account of another provider': (d) => {
    d.claims['idp'] = 'https://elsewhere.example';
  },
  'accounts of several providers': (d) => {
    d.claims['idp'] = [provider.issuer];
  },
  'no group and no role': (d) => {
    delete d.claims['groups'];
  },
  'other groups': (d) => {
    d.claims['groups'] = ['group-2', 'GROUP-1', ' group-1', 'group-1,group-2'];
  },
  'groups by their name as a key': (d) => {
    d.claims['groups'] = { 'group-1': true };
  },
  'groups within a list': (d) => {
    d.claims['groups'] = [['group-1']];
  },
  'the name of a required group as a role': (d) => {
    delete d.claims['groups'];
    d.claims['roles'] = ['group-1'];
  },
  'the name of a required role as a group': (d) => {
    d.claims['groups'] = ['role-1'];
  },
  'no second factor': (d) => {
    d.claims['amr'] = ['pwd'];
  },
  'no word of the factors': (d) => {
    delete d.claims['amr'];
  },
  'a second factor in capitals': (d) => {
    d.claims['amr'] = ['MFA'];
  },
  'a second factor in the user info alone': (d) => {
    delete d.claims['amr'];
    d.userInfo['amr'] = ['mfa'];
  },
  'a context class that is not in the list': (d) => {
    d.claims['amr'] = ['pwd'];
    d.claims['acr'] = 'mfa';
  },
};

test('the sound sign-in, which every attack changes in one thing, succeeds', async () => {
  const { location, client } = await signIn(() => undefined);
  expect(location).toBe('/svc/home');
  expect((await client.get('/svc/api/auth/me')).body.displayName).toBe('Victim');
});

test.each(Object.entries(attacks))('%s is refused, and nobody is signed in', async (_name, spoil) => {
  const before = (await failures()).length;
  const { location, text, client } = await signIn(spoil);
  expect(location).toMatch(/^\/svc\/error\?reason=sso-(provider|tenant|guest|group-or-role|mfa)$/);
  expect(client.cookies.has('Svc.Auth')).toBe(false);
  // One row of the audit, and nothing of the token: neither where the browser goes, nor in the row, nor in the log.
  const rows = (await failures()).slice(before);
  expect(rows).toMatchObject([
    { detail: { method: 'Oidc', reason: location?.split('sso-')[1] }, actor_kind: 'anonymous' },
  ]);
  const told = JSON.stringify([location, text, rows, svc.log]);
  for (const part of provider.sentIdToken().split('.')) if (part.length > 8) expect(told).not.toContain(part);
  expect(JSON.stringify([location, text])).not.toMatch(/victim/i);
});

test('what is attacked is every claim and every step', () => {
  expect(Object.keys(attacks).length).toBeGreaterThanOrEqual(60);
});

describe('a callback', () => {
  const begin = async () => {
    const client = createTestClient(svc.origin);
    const begun = await client.get('/svc/api/auth/sso/challenge');
    return { client, callback: provider.authorize(begun.headers.get('location') ?? '', () => undefined) };
  };
  const outcome = async (client: ReturnType<typeof createTestClient>, callback: string) => {
    const before = (await failures()).length;
    const answer = await client.get(callback);
    const location = answer.headers.get('location');
    return { location, rows: (await failures()).slice(before).map(({ detail }) => detail['reason']) };
  };

  test('that is replayed, also with the cookie of its sign-in, is refused and audited once', async () => {
    const { client, callback } = await begin();
    const cookie = client.cookies.get('Svc.SignIn') ?? '';
    expect(await outcome(client, callback)).toEqual({ location: '/svc/home', rows: [] });
    const expired = { location: '/svc/error?reason=sso-expired', rows: ['expired'] };
    expect(await outcome(client, callback)).toEqual(expired);
    const thief = createTestClient(svc.origin);
    thief.cookies.set('Svc.SignIn', cookie);
    expect(await outcome(thief, callback)).toEqual(expired);
    expect(thief.cookies.has('Svc.Auth')).toBe(false);
  });

  test('of one browser in another is refused and audited once, in both directions', async () => {
    const [one, other] = [await begin(), await begin()];
    const refused = { location: '/svc/error?reason=sso-provider', rows: ['provider'] };
    expect(await outcome(one.client, other.callback)).toEqual(refused);
    expect(await outcome(other.client, one.callback)).toEqual(refused);
    const stranger = createTestClient(svc.origin);
    expect(await outcome(stranger, one.callback)).toEqual({
      location: '/svc/error?reason=sso-expired',
      rows: ['expired'],
    });
    for (const client of [one.client, other.client, stranger])
      expect(client.cookies.has('Svc.Auth')).toBe(false);
  });

  test('whose cookie is made up is refused', async () => {
    const { callback } = await begin();
    for (const cookie of ['x', 'A'.repeat(43), '%00', `${'A'.repeat(42)}%`]) {
      const client = createTestClient(svc.origin);
      client.cookies.set('Svc.SignIn', cookie);
      expect((await outcome(client, callback)).location).toBe('/svc/error?reason=sso-expired');
    }
  });
});

describe('discovery', () => {
  const lies: Record<string, Spoil> = {
    'another issuer': (d) => {
      d.discovery['issuer'] = 'https://evil.example';
    },
    'no authorization endpoint': (d) => {
      delete d.discovery['authorization_endpoint'];
    },
  };
  test.each(Object.entries(lies))('that says %s is not believed', async (_name, spoil) => {
    provider.spoilFromStart(spoil);
    const fresh = await startTestSvc({ on: svc, config: settings() });
    const { status, client } = await signIn(spoil, fresh);
    expect(status).toBe(503);
    expect(client.cookies.has('Svc.Auth')).toBe(false);
    await fresh.close();
  });
});

test('what the provider sent is not in an answer, and its tokens are not in the log', async () => {
  const { location } = await signIn((d) => {
    d.tokenStatus = 400;
    d.token = { error: 'invalid_grant', error_description: 'text-of-the-provider' };
  });
  expect(location).not.toContain('text-of-the-provider');
  expect(JSON.stringify(svc.log)).not.toMatch(/eyJ[\w-]{20}/);
});
