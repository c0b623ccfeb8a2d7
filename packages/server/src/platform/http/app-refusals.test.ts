import { request as rawRequest } from 'node:http';
import { type ProblemCodeOf, problemCodes, problemEntry } from '@svc/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpProblem } from './refusals/http-problem.ts';
import { Refusal, tooManyRequests } from './refusals/refusal.ts';
import { startTestApp, type TestApp } from './testing/test-app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

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
    const response = await app.post(body);
    expect(await problem(response)).toMatchObject({ status, code });
    expect(response.status).toBe(status);
  });

  test('every 429 has Retry-After, including the 429 of the host', async () => {
    const codes = (Object.keys(problemCodes) as (keyof typeof problemCodes)[]).filter(
      (code): code is ProblemCodeOf<429> => problemEntry(code).status === 429,
    );
    expect(codes.length).toBeGreaterThan(3);
    for (app.behaviour.failure of [...codes.map((code) => new Refusal(code)), new HttpProblem(429)]) {
      const response = await app.call('/svc/api/failing');
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    app.behaviour.failure = tooManyRequests('Wait.', 12.3);
    expect((await app.call('/svc/api/failing')).headers.get('retry-after')).toBe('13');
    app.behaviour.failure = new Error('secret detail');
  });

  test.each([
    'application/json; charset=latin1',
    'application/json;charset="utf-16"',
    'application/json; charset=',
  ])('a body in another encoding than UTF-8 is refused: %s', async (type) => {
    const response = await app.post('{"name":"a"}', { 'content-type': type });
    expect(await problem(response)).toMatchObject({ status: 415, code: 'json-required' });
  });

  test('a body that declares UTF-8 is accepted', async () => {
    for (const charset of ['utf-8', 'UTF-8', '"utf8"'])
      expect(
        (await app.post('{"name":"a"}', { 'content-type': `application/json; charset=${charset}` })).status,
      ).toBe(201);
  });

  test.each([
    ['Authorization', ['Authorization', 'editor', 'authorization', 'viewer']],
    ['Authorization, twice the same', ['Authorization', 'editor', 'Authorization', 'editor']],
    ['Host', ['Authorization', 'editor', 'Host', 'elsewhere.example.com']],
  ])('a repeated header that may appear only once is refused: %s', async (_name, headers) => {
    const response = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const { host } = new URL(app.origin);
      rawRequest(`${app.origin}/svc/api/things`, { headers: ['Host', host, ...headers] }, async (answer) =>
        resolve({ status: answer.statusCode, body: Buffer.concat(await answer.toArray()).toString() }),
      )
        .on('error', reject)
        .end();
    });
    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toMatchObject({ code: 'repeated-header' });
  });

  test('a refused member is named', async () => {
    expect(await problem(await app.post('{"name":"a","more":1}'))).toMatchObject({
      errors: [{ path: '/more', message: 'is not known here' }],
    });
  });

  test.each([
    ['{"name":"a\\u0000"}', '/name'],
    ['{"name":"\\uD800"}', '/name'],
    ['{"name":"a","inner":{"\\u0000":1}}', '/inner/\ufffd'],
  ])('a body with text that cannot be stored is refused: %s', async (body, path) => {
    expect(await problem(await app.post(body))).toMatchObject({
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
    const answer = await problem(await app.call(path));
    expect(answer).toMatchObject({ status: 400, code: 'invalid-input' });
    expect(answer['errors']).toMatchObject([{ path: name }]);
  });

  test('text is checked only after the credential', async () => {
    expect((await app.call('/svc/api/things?sort=%00', { as: '' })).status).toBe(401);
  });

  test('a surrogate pair and the text of an escape are accepted', async () => {
    expect((await app.post('{"name":"\\ud83d\\ude00 \\\\u0000"}')).status).toBe(201);
  });

  test('numbers outside the allowed values are refused, in body and path', async () => {
    for (const count of ['1e999', '-1e999', '1.5'])
      expect((await app.post(`{"name":"a","inner":{"count":${count}}}`)).status).toBe(400);
    for (const id of ['2147483648', '99999999999999999999', '1e999', 'Infinity', 'NaN', '0'])
      expect((await app.call(`/svc/api/things/${id}`)).status).toBe(404);
  });

  test('401 without a credential has type about:blank and title Unauthorized', async () => {
    const response = await app.call('/svc/api/things', { as: '' });
    expect(response.status).toBe(401);
    expect(await problem(response)).toMatchObject({
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
    });
  });

  test('401 answers a credential that is recognised but invalid', async () => {
    expect((await app.call('/svc/api/things', { as: 'stale' })).status).toBe(401);
  });

  test('403 names the role that the action needs, before the body is read', async () => {
    const response = await app.call('/svc/api/things', {
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
    const response = await app.call(path);
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
    const response = await app.call('/svc/api/things', { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('HEAD, POST, GET');
    await problem(response);
  });

  test('415 answers a body that is not JSON', async () => {
    const response = await app.post('name=a', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(response.status).toBe(415);
    await problem(response);
  });

  test('414 or 404 answers a path segment beyond its limit', async () => {
    const response = await app.call(`/svc/api/things/${'1'.repeat(500)}`);
    expect([404, 414]).toContain(response.status);
    await problem(response);
  });

  test('400 answers a path that is not a URL', async () => {
    const response = await app.call('/svc/api/things/%zz');
    expect(response.status).toBe(400);
    await problem(response);
  });

  test('500 does not contain its cause', async () => {
    const response = await app.call('/svc/api/failing');
    expect(response.status).toBe(500);
    const body = await problem(response);
    expect(body).toMatchObject({ type: '/errors/internal', title: 'Internal Server Error' });
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test('the mapping of the host determines the answer to its own errors', async () => {
    app.behaviour.failure = new RangeError('Business rule');
    expect(await problem(await app.call('/svc/api/failing'))).toMatchObject({
      status: 400,
      type: '/errors/host',
      title: 'Business rule',
    });
  });

  test('503 answers while the database is unavailable', async () => {
    app.behaviour.failure = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const response = await app.call('/svc/api/failing');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
  });
});
