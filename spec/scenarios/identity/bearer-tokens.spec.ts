import {
  type Claims,
  endless,
  entra,
  issuer,
  secondsFromNow,
  bearerSection as section,
  bearerSettings as settings,
  tokenOf,
} from '@svc/testkit/people/access-token.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import type { RunningService } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { type StartService, scenario } from '../support/scenario.ts';

/** Starts a service that accepts tokens, with one Editor for each of the two issuers. */
async function startAccepting(start: StartService, more: Claims = {}) {
  const svc = await start({ ...settings, ...more });
  const root = await setUp(svc);
  for (const [iss, userName] of [
    [issuer, 'token-user'],
    [entra, 'entra-user'],
  ] as const) {
    const user = { issuer: iss, subject: 'user-1', userName, roles: ['Editor'] };
    const made = await root.post('/svc/api/users/external', user);
    if (made.status !== 201) throw new Error(`The user was not made: ${made.status} ${made.text}`);
  }
  return { svc, root };
}

const projects = '/svc/api/projects';
const ask = async (svc: RunningService, token: string) =>
  (await svc.client(`Bearer ${token}`).get(projects)).status;

scenario(
  ['ID-1-10', 'ID-5.5-15', 'ID-4-28'],
  'an access token acts as its existing enabled user, needs no second factor, and is refused on routes for keys',
  async ({ start }) => {
    const { svc, root } = await startAccepting(start);
    const program = svc.client(`Bearer ${tokenOf()}`);
    expect((await program.get('/svc/api/auth/me')).body).toMatchObject({ userName: 'token-user' });
    expect((await program.post(projects, { name: 'By a token' })).status).toBe(201);
    const project = await addProject(root, 'For keys');
    const key = { name: 'x', scopes: ['Read'], allowedProjectIds: [project] };
    expect((await program.get('/svc/api/api-keys')).status).toBe(403);
    expect((await program.post('/svc/api/api-keys', key)).status).toBe(403);
    expect((await program.get('/svc/api/api-keys/admin')).status).toBe(403);
    expect(await ask(svc, tokenOf({ sub: 'nobody' }))).toBe(401);
    await svc.sql("update svc.users set is_enabled = false where user_name = 'token-user'");
    expect(await ask(svc, tokenOf())).toBe(401);
  },
);

scenario(
  ['ID-5.5-02'],
  'access tokens are accepted only if bearer authentication is enabled',
  async ({ start }) => {
    const { svc } = await startAccepting(start);
    const off = await svc.replica({ [`${section}:EnableBearerAuthentication`]: false });
    expect([await ask(svc, tokenOf()), await ask(off, tokenOf())]).toEqual([200, 401]);
  },
);

scenario(
  ['ID-5.5-06', 'ID-5.5-07', 'ID-8-10'],
  'issuer, audience and lifetime of a token are always checked, with at most five minutes of clock skew',
  async ({ start }) => {
    const { svc } = await startAccepting(start);
    const cases: [Claims, number][] = [
      [{}, 200],
      [{ iss: 'https://other.example.com' }, 401],
      [{ aud: 'other' }, 401],
      [{ aud: undefined }, 401],
      [{ exp: undefined }, 401],
      [{ exp: secondsFromNow(-240) }, 200],
      [{ exp: secondsFromNow(-360) }, 401],
      [{ nbf: secondsFromNow(360) }, 401],
      // An expiry that never comes, and invalid times.
      [{ exp: endless }, 401],
      [{ exp: 253_402_300_800 }, 401],
      [{ exp: secondsFromNow(600) + 0.5 }, 401],
      [{ nbf: -1 }, 401],
      [{ iat: endless }, 401],
      [{ iat: '0' }, 401],
    ];
    for (const [claims, status] of cases)
      expect([claims, await ask(svc, tokenOf(claims))]).toEqual([claims, status]);
    const [head = '', body = ''] = tokenOf().split('.');
    expect(await ask(svc, `${head}.${body}.${'A'.repeat(43)}`)).toBe(401);
    const tooWide = start({ ...settings, [`${section}:Validation:ClockSkewSeconds`]: 301 });
    await expect(tooWide).rejects.toThrow(`${section}:Validation:ClockSkewSeconds`);
  },
);

scenario(
  ['ID-5.5-08', 'ID-5.5-12', 'ID-5.5-13', 'ID-5.5-14'],
  'a token must prove to be an access token by the method of its provider',
  async ({ start }) => {
    const { svc } = await startAccepting(start);
    const plain = { typ: 'JWT' };
    expect(await ask(svc, tokenOf({}, plain))).toBe(401);
    expect(await ask(svc, tokenOf({ nonce: 'n' }, {}))).toBe(401);
    expect(await ask(svc, tokenOf({}, { typ: 'at+jwt' }))).toBe(200);
    const claimed = await svc.replica({ [`${section}:AccessTokenClaim`]: 'client_id' });
    expect(await ask(claimed, tokenOf({ client_id: 'c' }, plain))).toBe(200);
    expect(await ask(claimed, tokenOf({}, plain))).toBe(401);
    const cases: [Claims, number][] = [
      [{}, 401],
      [{ azp: 'app' }, 401],
      [{ scp: 'read' }, 401],
      [{ azp: 'app', scp: 'read' }, 200],
      [{ appid: 'app', roles: ['r'] }, 200],
    ];
    for (const [claims, status] of cases)
      expect([claims, await ask(svc, tokenOf({ iss: entra, ...claims }, plain))]).toEqual([claims, status]);
  },
);

scenario(
  ['ID-5.5-04', 'ID-5.5-05', 'ID-5.5-09', 'ID-5.5-16'],
  'bearer settings without keys, issuer or audience, or with a claim of ID tokens, prevent the start',
  async ({ start }) => {
    const bad: [Claims, RegExp][] = [
      [{ [`${section}:Validation:SigningKey`]: undefined }, /JwksEndpoint/],
      [{ [`${section}:Validation:ValidIssuers`]: [] }, /ValidIssuer/],
      [{ [`${section}:Validation:ValidAudience`]: undefined }, /ValidAudience/],
      [{ [`${section}:AccessTokenClaim`]: 'sub' }, /AccessTokenClaim/],
      [{ [`${section}:AccessTokenClaim`]: 'nonce' }, /AccessTokenClaim/],
      [{ 'Svc:UserManagement:Enabled': false }, /UserManagement:Enabled/],
    ];
    await start(settings);
    for (const [change, message] of bad)
      await expect(start({ ...settings, ...change })).rejects.toThrow(message);
  },
);
