import { describe, expect, it } from 'vitest';
import { errorOf } from '../../testing/results.ts';
import { useRestApi } from '../testing/api.ts';

const { api, read } = useRestApi();

describe('pages of a REST response', () => {
  const rowsOfPage = (page: number, size = 2) =>
    page > 3 ? [] : Array.from({ length: size }, (_, at) => ({ id: (page - 1) * size + at + 1 }));
  const pageOf = (url: URL) => Number(url.searchParams.get('page') ?? 1);
  const all = [[1], [2], [3], [4], [5], [6]];

  it('follow a link in the response, before or after the rows', async () => {
    api().answer((url) => {
      const page = pageOf(url);
      const next =
        page < 3
          ? `${page === 1 ? api().baseUrl.replace(/^http:\/\/[^/]+/, '') : api().baseUrl}/orders?page=${page + 1}`
          : null;
      return {
        body:
          page === 1
            ? { links: { next }, data: rowsOfPage(page) }
            : { data: rowsOfPage(page), links: { next } },
      };
    });
    expect(await read({ path: '/orders', rows: '/data', pages: { next: '/links/next' } })).toEqual(all);
    expect(api().asked).toEqual(['GET /v1/orders', 'GET /v1/orders?page=2', 'GET /v1/orders?page=3']);
  });

  it('follow the Link header', async () => {
    api().answer((url) => {
      const page = pageOf(url);
      const link = `<${api().baseUrl}/orders?page=1>; rel="first"${page < 3 ? `, <${api().baseUrl}/orders?page=${page + 1}>; rel="next"` : ''}`;
      return { headers: { link }, body: rowsOfPage(page) };
    });
    expect(await read({ path: '/orders', pages: { next: 'Link' } })).toEqual(all);
  });

  it('follow a cursor', async () => {
    api().answer((url) => {
      const page = Number(url.searchParams.get('after')?.slice(1) ?? 1);
      return { body: { data: rowsOfPage(page), meta: { next: page < 3 ? `c${page + 1}` : '' } } };
    });
    const pages = { cursor: '/meta/next', parameter: 'after' };
    expect(await read({ path: '/orders', rows: '/data', query: { q: 'x' }, pages })).toEqual(all);
    expect(api().asked.at(-1)).toBe('GET /v1/orders?q=x&after=c3');
  });

  it('are requested by number until one is empty or not full', async () => {
    api().answer((url) => ({ body: rowsOfPage(pageOf(url)) }));
    expect(await read({ path: '/orders', pages: { parameter: 'page' } })).toEqual(all);
    expect(api().asked).toHaveLength(4);
    api().answer((url) => ({
      body: rowsOfPage(Number(url.searchParams.get('offset')) / 2 + 1).slice(
        0,
        url.search === '?offset=4' ? 1 : 2,
      ),
    }));
    const pages = { parameter: 'offset', start: 0, step: 2, size: 2 };
    expect(await read({ path: '/orders', pages })).toEqual(all.slice(0, 5));
    expect(api().asked).toEqual([
      'GET /v1/orders?offset=0',
      'GET /v1/orders?offset=2',
      'GET /v1/orders?offset=4',
    ]);
  });

  it('fail the run if there are more than allowed', async () => {
    api().answer((url) => ({ body: [{ id: pageOf(url) }] }));
    expect((await errorOf(read({ path: '/orders', pages: { parameter: 'page' } }))).message).toContain(
      'more than 100 pages',
    );
    expect(api().asked).toHaveLength(100);
    expect(
      (await errorOf(read({ path: '/orders', pages: { parameter: 'page', max: 2 } }))).message,
    ).toContain('more than 2 pages');
  });

  it.each([
    ['another host', 'http://evil.test/v1/orders'],
    ['another port', 'http://rest.test:1/v1/orders'],
    ['another scheme', 'https://rest.test/v1/orders'],
    ['a URL with a user', 'http://a:b@rest.test/v1/orders'],
    ['an incomplete URL', 'http://'],
    ['a path above the base URL', '/orders'],
    ['an endpoint that is not selected', '/v1/admin'],
    ['a path below a selected endpoint', '/v1/orders/1/delete'],
    ['a path with dots', '/v1/orders/../admin'],
    ['a path with encoded dots', '/v1/orders/%2e%2e'],
    ['a file URL', 'file:///etc/passwd'],
  ])('are not followed to %s', async (_name, next) => {
    api().answer(() => ({ body: { data: [{ id: 1 }], next } }));
    expect((await errorOf(read({ path: '/orders', rows: '/data', pages: { next: '/next' } }))).code).toBe(
      'statement-failed',
    );
    expect(api().asked).toHaveLength(1);
  });

  it('fail the run if a link leads to an earlier page', async () => {
    api().answer(() => ({ body: { data: [{ id: 1 }], next: '/v1/orders' } }));
    expect(
      (await errorOf(read({ path: '/orders', rows: '/data', pages: { next: '/next' } }))).message,
    ).toContain('read before');
  });

  it('are not requested beyond the required number of rows', async () => {
    api().answer((url) => ({ body: [{ id: pageOf(url) }, { id: 0 }] }));
    const rows = await read(
      { path: '/orders', pages: { parameter: 'page' } },
      { options: { rowsWanted: 3 } },
    );
    expect(rows).toHaveLength(4);
    expect(api().asked.length).toBeLessThan(5);
  });
});
