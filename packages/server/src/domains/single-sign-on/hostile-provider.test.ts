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
});

async function signIn(spoil: Spoil, on = svc) {
  const client = createTestClient(on.origin);
  const begun = await client.get('/svc/api/auth/sso/challenge');
  if (begun.status !== 302) return { status: begun.status, client };
  const answer = await client.get(provider.authorize(begun.headers.get('location') ?? '', spoil));
  return { status: answer.status, location: answer.headers.get('location'), client };
}

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
};

test('the sound sign-in, which every attack changes in one thing, succeeds', async () => {
  const { location, client } = await signIn(() => undefined);
  expect(location).toBe('/svc/home');
  expect((await client.get('/svc/api/auth/me')).body.displayName).toBe('Victim');
});

test.each(Object.entries(attacks))('%s is refused, and nobody is signed in', async (_name, spoil) => {
  const { location, client } = await signIn(spoil);
  expect(location).toMatch(/^\/svc\/error\?reason=sso-(provider|tenant)$/);
  expect(client.cookies.has('Svc.Auth')).toBe(false);
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
