import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createKey, createUser, password } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const login = '/svc/api/auth/login';
let svc: RunningService;
let root: HttpClient;
let editorId: number;

beforeAll(async () => {
  svc = await startService();
  root = await setUp(svc);
  editorId = await createUser(svc.database, 'editor', 'Editor');
});
afterAll(() => svc.close());

describe('antiforgery', () => {
  const change = (client: HttpClient, headers: Record<string, string> = {}) =>
    client.post('/svc/api/projects', { name: 'P', description: '' }, { antiforgery: false, headers });
  const tokenOf = async (client: HttpClient): Promise<string> =>
    (await client.get('/svc/api/csrf')).body.token;

  test('a change with a cookie needs the token of the same browser and the same session', async () => {
    const client = await signIn(svc, 'editor');
    const stranger = await signIn(svc, 'editor');
    const anonymousToken = await tokenOf(createHttpClient(svc.origin));
    const token = await tokenOf(client);
    const cookie = client.cookies.get('Svc.Antiforgery') ?? '';
    for (const bad of [
      '',
      cookie,
      `${token}x`,
      token.slice(1),
      await tokenOf(stranger),
      anonymousToken,
      '.',
      'a.b',
    ])
      expect(await change(client, { 'x-xsrf-token': bad })).toMatchObject({ status: 400 });
    expect(await change(client)).toMatchObject({ status: 400, body: { code: 'antiforgery-required' } });
    expect((await change(client, { 'x-xsrf-token': token })).status).toBe(201);
  });

  test('a token without its cookie or with a planted cookie is refused', async () => {
    const client = await signIn(svc, 'editor');
    const token = await tokenOf(client);
    const planted = await tokenOf(createHttpClient(svc.origin));
    client.cookies.set('Svc.Antiforgery', 'A'.repeat(43));
    for (const value of [token, planted, 'A'.repeat(43)])
      expect((await change(client, { 'x-xsrf-token': value })).status).toBe(400);
    client.cookies.delete('Svc.Antiforgery');
    expect((await change(client, { 'x-xsrf-token': token })).status).toBe(400);
  });

  test('a sign-in invalidates earlier tokens', async () => {
    const client = await signIn(svc, 'editor');
    const before = await tokenOf(client);
    await client.post(login, { username: 'editor', password: password });
    expect((await change(client, { 'x-xsrf-token': before })).status).toBe(400);
  });

  test('a caller with an Authorization header needs no token and gets none', async () => {
    const { authorization } = await createKey(svc.database, editorId, {
      scopes: ['Execute'],
      projectIds: null,
    });
    const client = createHttpClient(svc.origin, authorization);
    expect(await client.get('/svc/api/csrf')).toMatchObject({ status: 400 });
    expect((await change(client)).status).toBe(201);
  });

  test('an Authorization header with another scheme does not bypass the token requirement of a session cookie', async () => {
    const client = await signIn(svc, 'editor');
    for (const authorization of ['Bearer x', 'Basic eDp5', 'sk-sem_x', 'Bearer sk-sen_x'])
      expect((await change(client, { authorization })).status).toBe(400);
    expect((await change(client, { authorization: 'Bearer sk-sem_x' })).status).toBe(401);
  });

  test('no operation that changes data accepts a cookie without a token, with any content type', async () => {
    const { paths } = (await root.get('/openapi/v1.json')).body as {
      paths: Record<string, Record<string, unknown>>;
    };
    // The first three create or end the session of a token. The last accepts no cookie.
    const exempt = ['/svc/api/auth/login', '/svc/api/auth/logout', '/svc/api/setup/superadmin', '/svc/mcp'];
    // Clients of the hub cannot send the header. The origin of the request counts there.
    const refusalOf = (path: string) =>
      path.startsWith('/svc/api/hub') ? 'cross-site-request' : 'antiforgery-required';
    const cookie = [...root.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const passed: string[] = [];
    let requestCount = 0;
    for (const [path, operations] of Object.entries(paths)) {
      if (exempt.includes(path)) continue;
      for (const method of Object.keys(operations).filter((name) => /^(post|put|patch|delete)$/.test(name))) {
        for (const contentType of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
          requestCount += 1;
          const answer = await fetch(svc.origin + path.replaceAll(/\{\w+\}/g, '1'), {
            method: method.toUpperCase(),
            headers: { cookie, 'content-type': contentType, origin: 'https://elsewhere.example' },
            body: '{}',
          });
          const { code } = (await answer.json()) as { code?: string };
          if (code !== refusalOf(path))
            passed.push(`${method} ${path} ${contentType}: ${answer.status} ${code}`);
        }
      }
    }
    expect(passed).toEqual([]);
    expect(requestCount).toBeGreaterThan(75);
  });
});
