import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { audience, ec, entra, issuer, jwk, publicPem, rsa, section, tokenOf } from './testing/tokens.ts';

let keyServer: Server;
const published = [jwk(rsa.publicKey, 'k1'), jwk(ec.publicKey, 'k2')];
let isKeyServerDown = false;
let fetches = 0;
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
    fetches += 1;
    if (isKeyServerDown) response.writeHead(500).end();
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ keys: published }));
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

describe('the keys of the provider', () => {
  /** Keys are fetched at most once in thirty seconds. A busy machine may take longer than that. */
  const fetchesIn = (elapsedMs: number): number => 1 + Math.floor(elapsedMs / 30_000);

  test('remain in use while their address is unavailable, and unknown key ids do not flood the address', async () => {
    expect((await call(tokenOf())).status).toBe(200);
    isKeyServerDown = true;
    const before = fetches;
    const startedAtMs = performance.now();
    for (let count = 0; count < 20; count += 1)
      expect((await call(tokenOf((p) => Object.assign(p.header, { kid: `flood${count}` })))).status).toBe(
        401,
      );
    expect((await call(tokenOf())).status).toBe(200);
    isKeyServerDown = false;
    expect(fetches - before).toBeLessThanOrEqual(fetchesIn(performance.now() - startedAtMs));
  });

  test('cause 503 while none could be fetched, with a limited number of requests to their address', async () => {
    isKeyServerDown = true;
    const fresh = await startService({ on: svc, config: settings() });
    const before = fetches;
    const startedAtMs = performance.now();
    for (let count = 0; count < 5; count += 1)
      expect((await call(tokenOf(), undefined, fresh)).status).toBe(503);
    expect(fetches - before).toBeGreaterThan(0);
    expect(fetches - before).toBeLessThanOrEqual(fetchesIn(performance.now() - startedAtMs));
    isKeyServerDown = false;
    await fresh.close();
  });

  test.each([
    ['a public key', () => publicPem, 'RS256', 'HS256'],
    ['a shared secret', () => publicPem.replaceAll('-', '='), 'HS256', 'RS256'],
  ])('%s can be configured and accepts only its own algorithms', async (_name, key, _good, wrong) => {
    const fixed = await startService({
      on: svc,
      config: settings({
        [`${section}:Validation:JwksEndpoint`]: undefined,
        [`${section}:Validation:SigningKey`]: key(),
      }),
    });
    expect(
      (
        await call(
          tokenOf((p) => Object.assign(p.header, { alg: wrong })),
          undefined,
          fixed,
        )
      ).status,
    ).toBe(401);
    if (wrong === 'HS256') expect((await call(tokenOf(), undefined, fixed)).status).toBe(200);
    await fixed.close();
  });
});
