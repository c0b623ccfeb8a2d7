import { createServer, request as rawRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  access,
  defineEndpoint,
  IdParams,
  listQuery,
  type ProblemCodeOf,
  pageOf as pageSchema,
  problemCodes,
  problemEntry,
} from '@svc/contract';
import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anonymousCaller, type Caller } from '../access/index.ts';
import { createHttpApp } from './app.ts';
import { pageOfKept, pageRequest } from './paging.ts';
import { HttpProblem } from './refusals/http-problem.ts';
import { Refusal, tooManyRequests, unauthorized } from './refusals/refusal.ts';
import { route } from './route.ts';

const base = { tag: 'test', summary: 'Test' } as const;
const echo = defineEndpoint({
  ...base,
  operationId: 'echo',
  method: 'POST',
  path: '/svc/api/things',
  body: Type.Object({
    name: Type.String({ minLength: 1 }),
    inner: Type.Optional(Type.Object({ count: Type.Integer() })),
  }),
  responses: { 201: Type.Object({ name: Type.String() }) },
  access: access.write(),
});
const list = defineEndpoint({
  ...base,
  operationId: 'list',
  method: 'GET',
  path: '/svc/api/things',
  query: Type.Object(listQuery),
  responses: {
    200: pageSchema(Type.Object({ limit: Type.Integer(), offset: Type.Integer(), order: Type.String() })),
  },
  access: access.read(),
});
const one = defineEndpoint({
  ...base,
  operationId: 'one',
  method: 'GET',
  path: '/svc/api/things/{id}',
  params: IdParams,
  responses: { 200: Type.Object({ id: Type.Integer() }) },
  access: access.read(),
});
const failing = defineEndpoint({
  ...base,
  operationId: 'failing',
  method: 'GET',
  path: '/svc/api/failing',
  responses: { 204: null },
  access: access.read(),
});

const editor: Caller = { ...anonymousCaller, kind: 'session', userId: 1, userName: 'e', role: 'Editor' };
const byToken: Record<string, Caller> = { editor, viewer: { ...editor, role: 'Viewer' } };
let failure: Error = new Error('secret detail');
let origin: string;
let isSetupOpen = false;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const app = await createHttpApp({
    routes: [
      route(echo, async ({ body }) => ({ name: body.name, hidden: 'not declared' }) as { name: string }),
      route(list, async ({ query }) => {
        const page = pageRequest(query, {
          sortable: { name: 'name', createdTime: 'created' },
          byDefault: 'name',
          unique: 'id',
        });
        const order = page.order.map((entry) => `${entry.descending ? '-' : ''}${entry.column}`).join();
        return pageOfKept([{ limit: page.limit, offset: page.offset, order }], 41, page);
      }),
      route(one, async ({ params }) => ({ id: params.id })),
      route(failing, async () => {
        throw failure;
      }),
    ],
    log: pino({ level: 'silent' }),
    bodyLimitBytes: 2_000,
    knownProxies: [],
    authenticate: async (request) => {
      const token = request.headers['authorization'];
      if (token === undefined) return anonymousCaller;
      const caller = byToken[token];
      if (!caller) throw unauthorized('Invalid or expired API key.');
      return caller;
    },
    checkAntiforgery: () => undefined,
    isSetupOpen: () => isSetupOpen,
    errorMapping: (error) =>
      error instanceof RangeError
        ? new HttpProblem(400, { type: '/errors/host', title: error.message })
        : undefined,
  });
  const server = createServer((request, response) => app.routing(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closing.push(
    () => app.close(),
    async () => server.close(),
  );
});
afterAll(async () => {
  for (const close of closing) await close();
});

const call = (path: string, init: RequestInit & { as?: string } = {}) =>
  fetch(origin + path, {
    redirect: 'manual',
    ...init,
    headers: { ...(init.as !== '' && { authorization: init.as ?? 'editor' }), ...init.headers },
  });
const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  call('/svc/api/things', { method: 'POST', body, headers });

describe('a successful response', () => {
  test('contains what its schema declares and nothing else', async () => {
    const response = await post('{"name":"a"}');
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ name: 'a' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-powered-by')).toBeNull();
  });

  test.each([
    ['', 20, 0, 'name,id'],
    ['?page=2&pageSize=10', 10, 20, 'name,id'],
    ['?page=-3&pageSize=0', 1, 0, 'name,id'],
    ['?pageSize=5000', 200, 0, 'name,id'],
    ['?page=x&pageSize=y', 20, 0, 'name,id'],
    ['?sort=-createdTime,name,unknown', 20, 0, '-created,name,id'],
    ['?sort=unknown', 20, 0, 'name,id'],
  ])('is returned for any values of paging and sorting: %s', async (query, limit, offset, order) => {
    const response = await call(`/svc/api/things${query}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      items: [{ limit, offset, order }],
      totalCount: 41,
      pageCount: Math.ceil(41 / limit),
    });
  });
});

describe('the links of a list', () => {
  test.each([
    ['', ['first 0', 'next 1']],
    ['?page=1', ['first 0', 'prev 0', 'next 2']],
    ['?page=2', ['first 0', 'prev 1']],
    ['?page=99', ['first 0', 'prev 2']],
    ['?page=-3', ['first 0', 'next 1']],
    ['?page=x&pageSize=50', ['first 0']],
  ])('lead to existing pages: %s', async (query, expected) => {
    const link = (await call(`/svc/api/things${query}`)).headers.get('link') ?? '';
    const links = [...link.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target = '', rel]) => {
      const url = new URL(target, origin);
      expect(url.pathname).toBe('/svc/api/things');
      return `${rel} ${url.searchParams.get('page')}`;
    });
    expect(links).toEqual(expected);
  });

  test('retain the other query parameters, with any characters', async () => {
    const response = await call('/svc/api/things?sort=%3E%22,-name&pageSize=10&page=1');
    expect(response.headers.get('link')).toBe(
      ['first 0', 'prev 0', 'next 2']
        .map((link) => link.split(' '))
        .map(([rel, page]) => `</svc/api/things?sort=%3E%22%2C-name&pageSize=10&page=${page}>; rel="${rel}"`)
        .join(', '),
    );
  });

  test('exist only on lists', async () => {
    expect((await call('/svc/api/things/7')).headers.get('link')).toBeNull();
  });
});

describe('an open setup', () => {
  test('redirects every path to the setup page while no administrator exists', async () => {
    isSetupOpen = true;
    const knownPath = await call('/svc/api/things', { as: '' });
    const unknown = await call('/nowhere', { as: '' });
    isSetupOpen = false;
    expect([knownPath.status, knownPath.headers.get('location')]).toEqual([302, '/svc/setup']);
    expect([unknown.status, unknown.headers.get('location')]).toEqual([302, '/svc/setup']);
  });
});

describe('refusals of the HTTP layer', () => {
  const problem = async (response: Response) => {
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    return (await response.json()) as Record<string, unknown>;
  };

  test.each([
    ['{"name":', 400, 'invalid-json'],
    ['', 400, 'invalid-input'],
    ['[]', 400, 'invalid-input'],
    ['{}', 400, 'invalid-input'],
    ['{"name":1}', 400, 'invalid-input'],
    ['{"name":""}', 400, 'invalid-input'],
    ['{"name":"a","more":1}', 400, 'invalid-input'],
    ['{"name":"a","inner":{"count":"1"}}', 400, 'invalid-input'],
    ['{"name":"a","inner":{"count":1,"x":2}}', 400, 'invalid-input'],
    ['{"name":"a","__proto__":{"x":1}}', 400, 'forbidden-member'],
    ['['.repeat(500), 400, 'too-deep'],
    [`{"name":"${'x'.repeat(3_000)}"}`, 413, 'body-too-large'],
  ])('an invalid body is refused: case %$', async (body, status, code) => {
    const response = await post(body);
    expect(await problem(response)).toMatchObject({ status, code });
    expect(response.status).toBe(status);
  });

  test('every 429 has Retry-After, including the 429 of the host', async () => {
    const codes = (Object.keys(problemCodes) as (keyof typeof problemCodes)[]).filter(
      (code): code is ProblemCodeOf<429> => problemEntry(code).status === 429,
    );
    expect(codes.length).toBeGreaterThan(3);
    for (failure of [...codes.map((code) => new Refusal(code)), new HttpProblem(429)]) {
      const response = await call('/svc/api/failing');
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    failure = tooManyRequests('Wait.', 12.3);
    expect((await call('/svc/api/failing')).headers.get('retry-after')).toBe('13');
    failure = new Error('secret detail');
  });

  test.each([
    'application/json; charset=latin1',
    'application/json;charset="utf-16"',
    'application/json; charset=',
  ])('a body in another encoding than UTF-8 is refused: %s', async (type) => {
    const response = await post('{"name":"a"}', { 'content-type': type });
    expect(await problem(response)).toMatchObject({ status: 415, code: 'json-required' });
  });

  test('a body that declares UTF-8 is accepted', async () => {
    for (const charset of ['utf-8', 'UTF-8', '"utf8"'])
      expect(
        (await post('{"name":"a"}', { 'content-type': `application/json; charset=${charset}` })).status,
      ).toBe(201);
  });

  test.each([
    ['Authorization', ['Authorization', 'editor', 'authorization', 'viewer']],
    ['Authorization, twice the same', ['Authorization', 'editor', 'Authorization', 'editor']],
    ['Host', ['Authorization', 'editor', 'Host', 'elsewhere.example.com']],
  ])('a repeated header that may appear only once is refused: %s', async (_name, headers) => {
    const response = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const { host } = new URL(origin);
      rawRequest(`${origin}/svc/api/things`, { headers: ['Host', host, ...headers] }, async (answer) =>
        resolve({ status: answer.statusCode, body: Buffer.concat(await answer.toArray()).toString() }),
      )
        .on('error', reject)
        .end();
    });
    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toMatchObject({ code: 'repeated-header' });
  });

  test('a refused member is named', async () => {
    expect(await problem(await post('{"name":"a","more":1}'))).toMatchObject({
      errors: [{ path: '/more', message: 'is not known here' }],
    });
  });

  test.each([
    ['{"name":"a\\u0000"}', '/name'],
    ['{"name":"\\uD800"}', '/name'],
    ['{"name":"a","inner":{"\\u0000":1}}', '/inner/\ufffd'],
  ])('a body with text that cannot be stored is refused: %s', async (body, path) => {
    expect(await problem(await post(body))).toMatchObject({
      status: 400,
      code: 'invalid-input',
      errors: [{ path }],
    });
  });

  test.each([
    ['/svc/api/things?sort=%00', 'sort'],
    ['/svc/api/things?unknown=a%00b', 'unknown'],
    ['/svc/api/things?sort=a&sort=%00', 'sort/1'],
    ['/svc/api/things/%00', 'id'],
  ])('U+0000 in a path or query is refused: %s', async (path, name) => {
    const answer = await problem(await call(path));
    expect(answer).toMatchObject({ status: 400, code: 'invalid-input' });
    expect(answer['errors']).toMatchObject([{ path: name }]);
  });

  test('text is checked only after the credential', async () => {
    expect((await call('/svc/api/things?sort=%00', { as: '' })).status).toBe(401);
  });

  test('a surrogate pair and the text of an escape are accepted', async () => {
    expect((await post('{"name":"\\ud83d\\ude00 \\\\u0000"}')).status).toBe(201);
  });

  test('numbers outside the allowed values are refused, in body and path', async () => {
    for (const count of ['1e999', '-1e999', '1.5'])
      expect((await post(`{"name":"a","inner":{"count":${count}}}`)).status).toBe(400);
    for (const id of ['2147483648', '99999999999999999999', '1e999', 'Infinity', 'NaN', '0'])
      expect((await call(`/svc/api/things/${id}`)).status).toBe(404);
  });

  test('401 without a credential has type about:blank and title Unauthorized', async () => {
    const response = await call('/svc/api/things', { as: '' });
    expect(response.status).toBe(401);
    expect(await problem(response)).toMatchObject({
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
    });
  });

  test('401 answers a credential that is recognised but invalid', async () => {
    expect((await call('/svc/api/things', { as: 'stale' })).status).toBe(401);
  });

  test('403 names the role that the action needs, before the body is read', async () => {
    const response = await call('/svc/api/things', {
      as: 'viewer',
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(403);
    expect(await problem(response)).toMatchObject({ detail: 'This needs the Editor role or above.' });
  });

  const nothingThere = 'There is nothing at this path. The paths that there are: /openapi/v1.json.';
  const notFound = 'There is no such thing here, or you may not see it.';
  test.each([
    ['/svc/api/nowhere', nothingThere],
    ['/svc/api/things/', notFound],
    ['/svc/api//things', nothingThere],
    ['/svc/api/Things', nothingThere],
    ['/svc/api/things/abc', notFound],
    ['/svc/api/things/1%2f2', notFound],
    ['/svc/api/things/0', notFound],
  ])('404 answers %s', async (path, detail) => {
    const response = await call(path);
    expect(response.status).toBe(404);
    expect(await problem(response)).toEqual({
      type: '/svc/help/errors#not-found',
      title: 'Not Found',
      status: 404,
      code: 'not-found',
      detail,
    });
  });

  test('405 names the available methods', async () => {
    const response = await call('/svc/api/things', { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('HEAD, POST, GET');
    await problem(response);
  });

  test('415 answers a body that is not JSON', async () => {
    const response = await post('name=a', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(response.status).toBe(415);
    await problem(response);
  });

  test('414 or 404 answers a path segment beyond its limit', async () => {
    const response = await call(`/svc/api/things/${'1'.repeat(500)}`);
    expect([404, 414]).toContain(response.status);
    await problem(response);
  });

  test('400 answers a path that is not a URL', async () => {
    const response = await call('/svc/api/things/%zz');
    expect(response.status).toBe(400);
    await problem(response);
  });

  test('500 does not contain its cause', async () => {
    const response = await call('/svc/api/failing');
    expect(response.status).toBe(500);
    const body = await problem(response);
    expect(body).toMatchObject({ type: '/errors/internal', title: 'Internal Server Error' });
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test('the mapping of the host determines the answer to its own errors', async () => {
    failure = new RangeError('Business rule');
    expect(await problem(await call('/svc/api/failing'))).toMatchObject({
      status: 400,
      type: '/errors/host',
      title: 'Business rule',
    });
  });

  test('503 answers while the database is unavailable', async () => {
    failure = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const response = await call('/svc/api/failing');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
  });
});

test('a route without an access entry prevents the start', async () => {
  const broken = { ...one, access: undefined } as unknown as typeof one;
  await expect(
    createHttpApp({
      routes: [route(broken, async () => ({ id: 1 }))],
      log: pino({ level: 'silent' }),
      bodyLimitBytes: 1_000,
      knownProxies: [],
      authenticate: async () => anonymousCaller,
      checkAntiforgery: () => undefined,
      isSetupOpen: () => false,
    }),
  ).rejects.toThrow('GET /svc/api/things/{id} has no access entry');
});
