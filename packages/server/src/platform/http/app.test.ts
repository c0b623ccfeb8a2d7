import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anonymousCaller } from '../access/index.ts';
import { createHttpApp } from './app.ts';
import { route } from './route.ts';
import { one, startTestApp, type TestApp } from './testing/test-app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('a successful response', () => {
  test('contains what its schema declares and nothing else', async () => {
    const response = await app.post('{"name":"a"}');
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
    const response = await app.call(`/svc/api/things${query}`);
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
    const link = (await app.call(`/svc/api/things${query}`)).headers.get('link') ?? '';
    const links = [...link.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target = '', rel]) => {
      const url = new URL(target, app.origin);
      expect(url.pathname).toBe('/svc/api/things');
      return `${rel} ${url.searchParams.get('page')}`;
    });
    expect(links).toEqual(expected);
  });

  test('retain the other query parameters, with any characters', async () => {
    const response = await app.call('/svc/api/things?sort=%3E%22,-name&pageSize=10&page=1');
    expect(response.headers.get('link')).toBe(
      ['first 0', 'prev 0', 'next 2']
        .map((link) => link.split(' '))
        .map(([rel, page]) => `</svc/api/things?sort=%3E%22%2C-name&pageSize=10&page=${page}>; rel="${rel}"`)
        .join(', '),
    );
  });

  test('exist only on lists', async () => {
    expect((await app.call('/svc/api/things/7')).headers.get('link')).toBeNull();
  });
});

describe('an open setup', () => {
  test('redirects every path to the setup page while no administrator exists', async () => {
    app.behaviour.isSetupOpen = true;
    const knownPath = await app.call('/svc/api/things', { as: '' });
    const unknown = await app.call('/nowhere', { as: '' });
    app.behaviour.isSetupOpen = false;
    expect([knownPath.status, knownPath.headers.get('location')]).toEqual([302, '/svc/setup']);
    expect([unknown.status, unknown.headers.get('location')]).toEqual([302, '/svc/setup']);
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
