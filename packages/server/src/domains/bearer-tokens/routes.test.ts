import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { setRoles } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  audience,
  ec,
  entra,
  issuer,
  jwk,
  now,
  other,
  type Parts,
  rsa,
  section,
  tokenOf,
} from './testing/tokens.ts';

let keyServer: Server;
const published = [jwk(rsa.publicKey, 'k1'), jwk(ec.publicKey, 'k2')];
let jwksEndpoint: string;
let svc: RunningService;
let root: HttpClient;
let userId: number;

const settings = (change: Record<string, unknown> = {}) => ({
  [`${section}:EnableBearerAuthentication`]: true,
  [`${section}:Validation:JwksEndpoint`]: jwksEndpoint,
  [`${section}:Validation:ValidIssuers`]: [issuer, entra],
  [`${section}:Validation:ValidAudience`]: audience,
  ...change,
});

beforeAll(async () => {
  keyServer = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => keyServer.listen(0, '127.0.0.1', resolve));
  jwksEndpoint = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/jwks`;
  svc = await startService({ config: settings() });
  root = await setUp(svc);
  const { body } = await root.post('/svc/api/users/external', {
    issuer,
    subject: 'user-1',
    userName: 'delegate',
    roles: ['Editor'],
  });
  userId = body.id;
  await root.post('/svc/api/users/external', {
    issuer: entra,
    subject: 'user-1',
    userName: 'delegate2',
    roles: ['Viewer'],
  });
});
afterAll(async () => {
  await svc.close();
  keyServer.close();
});

const call = (token: string, path = '/svc/api/auth/permissions', on = svc) =>
  createHttpClient(on.origin, `Bearer ${token}`).get(path);

describe('a valid token', () => {
  test('acts with the stored roles of its user, needs no antiforgery token, and counts as a sign-in', async () => {
    const token = tokenOf(({ claims }) => {
      claims['roles'] = ['Admin'];
    });
    expect((await call(token)).body).toMatchObject({ canWrite: true, isAdmin: false });
    expect((await call(token, '/svc/api/auth/me')).body).toMatchObject({ userId, userName: 'delegate' });
    const client = createHttpClient(svc.origin, `bearer ${token}`);
    expect((await client.post('/svc/api/projects', { name: 'By token', description: '' })).status).toBe(201);
    expect((await client.get('/svc/api/csrf')).status).toBe(400);
    const lastSignIn = async () =>
      (await svc.database.query('select last_signed_in_at from svc.users where id = $1', [userId])).rows[0]
        .last_signed_in_at;
    await expect.poll(lastSignIn).toBeInstanceOf(Date);
  });

  test.each<[string, (parts: Parts) => void]>([
    ['typ application/AT+JWT', (p) => Object.assign(p.header, { typ: 'application/AT+JWT' })],
    [
      'ES256',
      (p) => Object.assign(p, { key: ec.privateKey, header: { alg: 'ES256', kid: 'k2', typ: 'at+jwt' } }),
    ],
    ['several audiences, ours among them', (p) => Object.assign(p.claims, { aud: ['x', audience] })],
    ['expired within the clock skew', (p) => Object.assign(p.claims, { exp: now() - 290 })],
    ['valid from within the clock skew', (p) => Object.assign(p.claims, { nbf: now() + 290 })],
  ])('is accepted with the variant: %s', async (_name, change) => {
    expect((await call(tokenOf(change))).status).toBe(200);
  });

  test.each([
    { azp: 'app', scp: 'access' },
    { appid: 'app', roles: ['r'] },
  ])('of Entra is accepted with its app and its permissions: %o', async (claims) => {
    const token = tokenOf((parts) => {
      parts.header['typ'] = 'JWT';
      Object.assign(parts.claims, { iss: entra }, claims);
    });
    expect((await call(token, '/svc/api/auth/me')).body.userName).toBe('delegate2');
  });

  test('is recognized by the configured claim if typ does not identify an access token', async () => {
    const byClaim = await startService({
      on: svc,
      config: settings({ [`${section}:AccessTokenClaim`]: 'token_use' }),
    });
    const token = tokenOf(({ header, claims }) => {
      header['typ'] = 'JWT';
      claims['token_use'] = 'access';
    });
    expect((await call(token, undefined, byClaim)).status).toBe(200);
    expect((await call(token)).status).toBe(401);
    for (const empty of ['', ' ', false, 0, null, [], [''], {}]) {
      const unproved = tokenOf(({ header, claims }) => {
        header['typ'] = 'JWT';
        claims['token_use'] = empty;
      });
      const { status } = await call(unproved, undefined, byClaim);
      expect([empty, status]).toEqual([empty, 401]);
    }
    await byClaim.close();
  });

  test('identifies its user by the mapped claim', async () => {
    const mapped = await startService({
      on: svc,
      config: settings({ [`${section}:ClaimsMapping`]: { userId: 'oid' } }),
    });
    const token = tokenOf(({ claims }) => {
      claims['oid'] = 'user-1';
      claims['sub'] = 'pairwise';
    });
    expect((await call(token, undefined, mapped)).status).toBe(200);
    await mapped.close();
  });
});

const bad: Record<string, (parts: Parts) => void> = {
  'alg none': (p) => Object.assign(p.header, { alg: 'none' }),
  'alg None': (p) => Object.assign(p.header, { alg: 'None' }),
  'no alg': (p) => Object.assign(p, { header: { kid: 'k1', typ: 'at+jwt' } }),
  'HS256 with the public key as the secret': (p) => Object.assign(p.header, { alg: 'HS256' }),
  'HS256 without a key id': (p) => Object.assign(p, { header: { alg: 'HS256', typ: 'at+jwt' } }),
  'RS256 with the id of an EC key': (p) => Object.assign(p.header, { kid: 'k2' }),
  'an unknown key id': (p) => Object.assign(p.header, { kid: 'k9' }),
  'another key': (p) => Object.assign(p, { key: other.privateKey }),
  'a key in the header': (p) =>
    Object.assign(p, {
      key: other.privateKey,
      header: { ...p.header, jwk: other.publicKey.export({ format: 'jwk' }) },
    }),
  'a key address in the header': (p) =>
    Object.assign(p, {
      key: other.privateKey,
      header: { ...p.header, kid: 'k9', jku: `${jwksEndpoint}?evil` },
    }),
  'a certificate address in the header': (p) =>
    Object.assign(p, {
      key: other.privateKey,
      header: { ...p.header, x5u: 'https://evil.example', x5c: ['MIIB'] },
    }),
  'an unknown critical header': (p) => Object.assign(p.header, { crit: ['x'], x: 1 }),
  'an empty critical header': (p) => Object.assign(p.header, { crit: [] }),
  'an unencoded payload': (p) => Object.assign(p.header, { crit: ['b64'], b64: false }),
  'typ JWT': (p) => Object.assign(p.header, { typ: 'JWT' }),
  'no typ': (p) => Object.assign(p, { header: { alg: 'RS256', kid: 'k1' } }),
  'typ of a logout token': (p) => Object.assign(p.header, { typ: 'logout+jwt' }),
  'an ID token': (p) => {
    p.header['typ'] = 'JWT';
    Object.assign(p.claims, { nonce: 'n', at_hash: 'h', azp: 'client' });
  },
  'an ID token of the Entra kind': (p) => {
    p.header['typ'] = 'JWT';
    Object.assign(p.claims, { iss: entra, nonce: 'n', roles: ['r'] });
  },
  'an Entra token without scp or roles': (p) => {
    p.header['typ'] = 'JWT';
    Object.assign(p.claims, { iss: entra, azp: 'a' });
  },
  'claims of both an app and a person': (p) => Object.assign(p.claims, { idtyp: 'app', scp: 'access' }),
  'another issuer': (p) => Object.assign(p.claims, { iss: 'https://evil.example' }),
  'the issuer with a slash': (p) => Object.assign(p.claims, { iss: `${issuer}/` }),
  'the issuer in capitals': (p) => Object.assign(p.claims, { iss: issuer.toUpperCase() }),
  'an issuer list': (p) => Object.assign(p.claims, { iss: [issuer] }),
  'no issuer': (p) => Object.assign(p.claims, { iss: undefined }),
  'another audience': (p) => Object.assign(p.claims, { aud: 'other' }),
  'an audience list without the service': (p) => Object.assign(p.claims, { aud: ['a', 'b'] }),
  'an empty audience list': (p) => Object.assign(p.claims, { aud: [] }),
  'no audience': (p) => Object.assign(p.claims, { aud: undefined }),
  'expired beyond the skew': (p) => Object.assign(p.claims, { exp: now() - 310 }),
  'no expiry': (p) => Object.assign(p.claims, { exp: undefined }),
  'an expiry that is a text': (p) => Object.assign(p.claims, { exp: String(now() + 300) }),
  'an expiry that is null': (p) => Object.assign(p.claims, { exp: null }),
  'not valid yet beyond the skew': (p) => Object.assign(p.claims, { nbf: now() + 310 }),
  'a start that is a text': (p) => Object.assign(p.claims, { nbf: 'now' }),
  'no subject': (p) => Object.assign(p.claims, { sub: undefined }),
  'an empty subject': (p) => Object.assign(p.claims, { sub: '' }),
  'a subject that is a number': (p) => Object.assign(p.claims, { sub: 1 }),
  'an unknown subject': (p) => Object.assign(p.claims, { sub: 'user-2' }),
  'a subject in capitals': (p) => Object.assign(p.claims, { sub: 'USER-1' }),
  'a duplicate claim': (p) =>
    Object.assign(p, { payloadText: JSON.stringify(p.claims).replace('{', '{"sub":"someone",') }),
  'a duplicate claim with an escaped name': (p) =>
    Object.assign(p, { payloadText: JSON.stringify(p.claims).replace('{', '{"\\u0073ub":"someone",') }),
  'a duplicate header member': (p) =>
    Object.assign(p, { headerText: JSON.stringify(p.header).replace('{', '{"typ":"JWT",') }),
  'a payload with a byte order mark': (p) =>
    Object.assign(p, { payloadText: `\ufeff${JSON.stringify(p.claims)}` }),
  'a header with a byte order mark': (p) =>
    Object.assign(p, { headerText: `\ufeff${JSON.stringify(p.header)}` }),
  'a duplicate member of a nested claim': (p) =>
    Object.assign(p, { payloadText: JSON.stringify(p.claims).replace('{', '{"act":{"sub":"a","sub":"b"},') }),
  'a payload that is a list': (p) => Object.assign(p, { payloadText: '[]' }),
  'a payload that is not JSON': (p) => Object.assign(p, { payloadText: 'x' }),
  'a huge token': (p) => Object.assign(p.claims, { more: 'x'.repeat(9_500) }),
};

/** Writes a claim as a number in a notation that JavaScript never generates: `1e999` is valid JSON. */
const numberAs = (claim: string, text: string) => (p: Parts) => {
  const json = JSON.stringify({ ...p.claims, [claim]: 'as text' });
  Object.assign(p, { payloadText: json.replace('"as text"', text) });
};

/** Tokens that violate one of our rules, which the library does not check, with the logged reason. */
const unsound: Record<string, [change: (parts: Parts) => void, because: RegExp]> = {
  'an infinite expiry': [numberAs('exp', '1e999'), /"exp" is no time/],
  'an expiry beyond the year 9999': [numberAs('exp', '253402300800'), /"exp" is no time/],
  'an expiry that is not a safe integer': [numberAs('exp', '9007199254740993'), /"exp" is no time/],
  'an expiry that is not a whole second': [
    (p) => Object.assign(p.claims, { exp: now() + 300.5 }),
    /"exp" is no time/,
  ],
  'an infinitely early start': [numberAs('nbf', '-1e999'), /"nbf" is no time/],
  'a start before 1970': [numberAs('nbf', '-1'), /"nbf" is no time/],
  'a start that is not a whole second': [numberAs('nbf', '0.5'), /"nbf" is no time/],
  'an infinite issue time': [numberAs('iat', '1e999'), /"iat" is no time/],
  'an issue time before 1970': [numberAs('iat', '-1'), /"iat" is no time/],
  'an issue time that is not a whole second': [numberAs('iat', '1.5'), /"iat" is no time/],
  'a blank subject': [(p) => Object.assign(p.claims, { sub: ' ' }), /name of the user is empty/],
  'a display name with NUL': [
    (p) => Object.assign(p.claims, { name: 'A user\u0000' }),
    /a claim holds a character/,
  ],
  'a list member with an unpaired surrogate': [
    (p) => Object.assign(p.claims, { groups: ['\ud800'] }),
    /a claim holds a character/,
  ],
  'a subject with NUL': [
    (p) => Object.assign(p.claims, { sub: 'user-1\u0000' }),
    /name of the user has control characters/,
  ],
};

describe('status 401', () => {
  test.each(Object.entries(unsound))('refuses %s and logs the reason', async (_name, [change, because]) => {
    const loggedBefore = svc.log.length;
    const answer = await call(tokenOf(change));
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid-token' } });
    const refused = svc.log.slice(loggedBefore).find(({ msg }) => msg === 'an access token was refused');
    expect(refused?.['reason']).toMatch(because);
  });

  test('the list of invalid tokens has more than forty entries', () => {
    expect(Object.keys(bad).length).toBeGreaterThan(40);
  });

  test.each(Object.entries(bad))('refuses a token with the fault: %s', async (_name, change) => {
    const answer = await call(tokenOf(change));
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(answer.body).toMatchObject({
      code: 'invalid-token',
      detail: 'The access token is not valid here.',
    });
  });

  test.each(['x', 'a.b', 'a.b.c', 'a.b.c.d.e', '..', 'eyJ', '%00'])(
    'refuses a text that is not a token: %s',
    async (token) => {
      expect((await call(token)).status).toBe(401);
    },
  );

  test('refuses a token with a changed signature, a missing end or additional characters', async () => {
    const token = tokenOf();
    for (const wrong of [
      `${token}x`,
      token.slice(0, -3),
      `${token.slice(0, -8)}AAAAAAAA`,
      `x${token}`,
      token.replaceAll('.', '..'),
    ])
      expect((await call(wrong)).status).toBe(401);
  });

  test('an invalid token gets 401, also with a session and on an anonymous route', async () => {
    const headers = { authorization: `Bearer ${tokenOf((p) => Object.assign(p.claims, { exp: 1 }))}` };
    expect((await root.get('/svc/api/auth/me', { headers })).status).toBe(401);
  });

  test.each(['is_enabled = false', 'archived_at = now()'])(
    'refuses the token of a user with %s',
    async (change) => {
      const answer = await root.post('/svc/api/users/external', {
        issuer,
        subject: change,
        userName: `gone ${change}`,
      });
      await setRoles(svc.database, answer.body.id, ['Viewer']);
      const token = tokenOf((p) => Object.assign(p.claims, { sub: change }));
      expect((await call(token)).status).toBe(200);
      await svc.database.query(`update svc.users set ${change} where id = $1`, [answer.body.id]);
      expect((await call(token)).status).toBe(401);
    },
  );

  test('a token never identifies an internal user', async () => {
    const token = tokenOf((p) => Object.assign(p.claims, { sub: 'root', preferred_username: 'root' }));
    expect((await call(token)).status).toBe(401);
  });

  test('the log contains the reason for a refusal and no token', async () => {
    const token = tokenOf((p) => Object.assign(p.header, { kid: 'k9' }));
    await call(token);
    // Other log entries may follow.
    const refused = svc.log.findLast(({ msg }) => msg === 'an access token was refused');
    expect(refused).toMatchObject({ level: 40, reason: expect.any(String) });
    expect(JSON.stringify(svc.log)).not.toContain(token.split('.')[2]);
  });
});
