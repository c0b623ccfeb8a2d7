import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, superAdmin } from '@svc/testkit/people/people.ts';
import { password } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import express from 'express';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

const base = '/tools/watch';
let svc: RunningService;
let server: Server | undefined;
beforeAll(async () => {
  svc = await startService({ config: { 'Svc:PathBase': base } });
  await setUp(svc);
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});
afterAll(() => svc.close());

const listen = async (listener: RequestListener) => {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const handle: express.RequestHandler = (request, response, next) => svc.svc.handle(request, response, next);

describe('the base path', () => {
  const health = async (origin: string, path = `${base}/svc/api/health`) =>
    (await fetch(`${origin}${path}`)).status;

  test('is removed by the service itself, and requests outside it pass to the next handler', async () => {
    const origin = await listen((request, response) =>
      svc.svc.handle(request, response, () => response.writeHead(418).end(request.url)),
    );
    expect(await health(origin)).toBe(200);
    expect(await health(origin, `${base}/svc/api/health?x=1`)).toBe(200);
    for (const path of [base, `${base}/`, `${base}x/svc`, '/tools', '/tools/svc', '/', `/x${base}/svc`])
      expect([path, (await fetch(origin + path)).status]).toEqual([path, 418]);
    expect(await (await fetch(`${origin}${base}/elsewhere?x=1`)).text()).toBe(`${base}/elsewhere?x=1`);
  });

  test('may be removed by a router', async () => {
    const origin = await listen(
      express()
        .use(base, handle)
        .use((_request, response) => void response.status(418).end()),
    );
    expect(await health(origin)).toBe(200);
    expect(await health(origin, `${base}/elsewhere`)).toBe(418);
  });

  test('may be removed by a proxy', async () => {
    expect(await health(svc.origin, '/svc/api/health')).toBe(200);
  });
});

describe('a response below a base path', () => {
  const client = async () => {
    const browser = createHttpClient(svc.origin);
    const body = { username: superAdmin.userName, password: password };
    return { browser, answer: await browser.post(`${base}/svc/api/auth/login`, body) };
  };

  test('sets cookies for the base path, not for its neighbours', async () => {
    const { answer } = await client();
    expect(answer.status).toBe(200);
    const cookies = answer.headers.getSetCookie();
    expect(cookies.map((line) => line.split('=')[0])).toEqual(['Svc.Auth', 'Svc.Antiforgery']);
    for (const cookie of cookies) expect(cookie).toContain(`; Path=${base};`);
    const secure = await createHttpClient(svc.origin).get(`${base}/svc/api/csrf`, {
      headers: { 'x-forwarded-proto': 'https' },
    });
    // `__Host-` requires the full host; below a base, only `__Secure-` is possible.
    expect(secure.headers.getSetCookie()[0]).toMatch(
      /^__Secure-Svc\.Antiforgery=[\w-]+; Path=\/tools\/watch; HttpOnly; Secure/,
    );
  });

  test('contains the base in the address of a created record, and the address works', async () => {
    const { browser } = await client();
    const created = await browser.post(`${base}/svc/api/projects`, { name: 'Below', description: '' });
    const location = created.headers.get('location') ?? '';
    expect([created.status, location]).toEqual([201, `${base}/svc/api/projects/${created.body.projectId}`]);
    expect((await browser.get(location)).status).toBe(200);
  });

  test('links the type of a problem to its help page below the base, without the built UI', async () => {
    const stranger = createHttpClient(svc.origin);
    const refused = await stranger.post(`${base}/svc/api/auth/login`, { username: 'nobody' });
    expect(refused.body.type).toBe(`${base}/svc/help/errors#invalid-input`);
    const help = await stranger.get(refused.body.type.split('#')[0]);
    expect(help.status).toBe(200);
    expect(help.text).toContain('<section id="invalid-input"');
    // Content that the specification defines is the same below a base.
    expect((await stranger.get(`${base}/svc/api/projects`)).body.type).toBe('about:blank');
  });

  test('names the base as the server in the OpenAPI document', async () => {
    const { body } = await createHttpClient(svc.origin).get(`${base}/openapi/v1.json`);
    expect(body.servers).toEqual([{ url: base }]);
    expect(Object.keys(body.paths)).toContain('/svc/api/health');
    const publicService = await startService({
      on: svc,
      config: { 'Svc:PathBase': base, 'Svc:PublicBaseUrl': 'https://data.example.org' },
    });
    const { body: published } = await createHttpClient(publicService.origin).get('/openapi/v1.json');
    expect(published.servers).toEqual([{ url: `https://data.example.org${base}` }]);
    await publicService.close();
  });

  test('contains the address of MCP in the challenge, in its documents and at the path that clients derive', async () => {
    const stranger = createHttpClient(svc.origin);
    const refused = await stranger.post(`${base}/svc/mcp`, {});
    const document = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
    expect([refused.status, document]).toEqual([
      401,
      `${svc.origin}${base}/.well-known/oauth-protected-resource/svc/mcp`,
    ]);
    for (const path of [
      new URL(document ?? '').pathname,
      `${base}/.well-known/oauth-protected-resource`,
      `/.well-known/oauth-protected-resource${base}/svc/mcp`,
    ])
      expect([path, (await stranger.get(path)).body]).toEqual([
        path,
        expect.objectContaining({ resource: `${svc.origin}${base}/svc/mcp` }),
      ]);
    const card = await stranger.get(`${base}/.well-known/mcp/server-card.json`);
    expect(JSON.parse(card.text).remotes[0].url).toBe(`${svc.origin}${base}/svc/mcp`);
  });

  test('redirects every path to the setup page below the base before the setup', async () => {
    const open = await startService({ config: { 'Svc:PathBase': base } });
    const stranger = createHttpClient(open.origin);
    for (const path of ['/svc/api/projects', '/svc/api/nowhere', '/openapi/v1.json'])
      expect([path, (await stranger.get(base + path)).headers.get('location')]).toEqual([
        path,
        `${base}/svc/setup`,
      ]);
    await open.close();
  });
});

test.each(['tools', '/tools/', '//evil.example', '/a b', '/a"b', '/a;b', '/a/../b', '/..'])(
  'an invalid base path stops the start with the name of the setting: %s',
  async (path) => {
    await expect(startService({ on: svc, config: { 'Svc:PathBase': path } })).rejects.toThrow('Svc:PathBase');
  },
);
