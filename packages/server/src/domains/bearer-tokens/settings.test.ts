import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { audience, ec, entra, issuer, jwk, rsa, section, tokenOf } from './testing/tokens.ts';

let keyServer: Server;
const published = [jwk(rsa.publicKey, 'k1'), jwk(ec.publicKey, 'k2')];
let jwksEndpoint: string;
let svc: RunningService;
let root: HttpClient;

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
  await root.post('/svc/api/users/external', {
    issuer,
    subject: 'user-1',
    userName: 'delegate',
    roles: ['Editor'],
  });
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

describe('the configuration of bearer tokens', () => {
  test('without the switch, a token identifies no user', async () => {
    const off = await startService({ on: svc });
    expect((await call(tokenOf(), undefined, off)).body.code).toBe('unauthorized');
    await off.close();
  });

  test.each([
    [`${section}:Validation:JwksEndpoint`, undefined],
    [`${section}:Validation:JwksEndpoint`, 'http://idp.example/jwks'],
    [`${section}:Validation:SigningKey`, 'x'.repeat(40)],
    [`${section}:Validation:SigningKey`, 'short'],
    [`${section}:Validation:ValidIssuers`, []],
    [`${section}:Validation:ValidAudience`, undefined],
    [`${section}:Validation:ClockSkewSeconds`, 301],
    [`${section}:AccessTokenClaim`, 'sub'],
    [`${section}:AccessTokenClaim`, 'nonce'],
    [`${section}:ClaimsMapping`, { subject: 'sub' }],
  ])('%s = %o prevents the start of the service', async (key, value) => {
    const expected = key.replace('ValidAudience', 'ValidAudiences');
    await expect(startService({ on: svc, config: settings({ [key]: value }) })).rejects.toThrow(expected);
  });

  test('tokens require user management', async () => {
    await expect(
      startService({ on: svc, config: settings({ 'Svc:UserManagement:Enabled': false }) }),
    ).rejects.toThrow('Svc:UserManagement:Enabled');
  });
});

describe('the external login', () => {
  test('the sign-in form queries the host only for users of the host', async () => {
    const asked: string[] = [];
    const endpoint = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      asked.push(body);
      const form = new URLSearchParams(body);
      const isRight = form.get('password') === 'host-password' && form.get('username') === 'someone';
      response
        .writeHead(isRight ? 200 : 400)
        .end(JSON.stringify(isRight ? { access_token: tokenOf() } : { error: 'x' }));
    });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/token`;
    const host = await startService({
      on: svc,
      config: settings({ [`${section}:ExternalLoginEndpoint`]: url }),
    });
    const login = (username: string, password: string, client = createHttpClient(host.origin)) =>
      client.post('/svc/api/auth/login', { username, password });
    const client = createHttpClient(host.origin);
    expect(await login('someone', 'host-password', client)).toMatchObject({
      status: 200,
      body: { userName: 'delegate' },
    });
    expect((await client.get('/svc/api/user-settings/sessions')).body.items[0].authMethod).toBe(
      'ExternalLogin',
    );
    expect((await login('someone', 'wrong')).status).toBe(401);
    const before = asked.length;
    expect((await login('root', 'host-password')).status).toBe(401);
    expect(asked.length).toBe(before);
    endpoint.close();
    endpoint.closeAllConnections();
    expect((await login('someone', 'host-password')).status).toBe(503);
    await host.close();
  });
});
