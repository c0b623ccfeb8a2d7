import { createServer, request as httpRequest } from 'node:http';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobsDashboard, type Wish } from './index.ts';
import { createFixture, type Fixture, type Served, serveDashboard } from './testing/served.ts';

let fixture: Fixture;
let served: Served;
const some = '01900000-0000-7000-8000-000000000000';

beforeAll(async () => {
  fixture = await createFixture();
  served = await serveDashboard(fixture);
});
afterAll(async () => {
  await served.close();
  await fixture.close();
});

describe('authorization of the dashboard', () => {
  it('is requested for every request before anything else, with its type of access', async () => {
    const wishes: Wish[] = [];
    const closed = await serveDashboard(fixture, {
      authorize: (_request, wish) => {
        wishes.push(wish);
        return { kind: 'Refused', status: 401 };
      },
    });
    const page = await closed.get('/jobs');
    const read = await closed.get('/jobs/api/overview');
    const unknown = await closed.get('/jobs/api/unknown');
    const change = await closed.post(`/jobs/api/jobs/${some}/cancel`, 'no json');
    await closed.close();
    expect([page, read, unknown, change].map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(read.body).toMatchObject({ status: 401, code: 'unauthorized', detail: expect.any(String) });
    expect(wishes).toEqual([
      { isChange: false, isPage: true },
      { isChange: false, isPage: false },
      { isChange: false, isPage: false },
      { isChange: true, isPage: false },
    ]);
  });

  it('can redirect a request or refuse it with a reason', async () => {
    const elsewhere = await serveDashboard(fixture, {
      authorize: () => ({ kind: 'Redirected', location: '/sign-in' }),
    });
    const answer = await elsewhere.get('/jobs/api/overview');
    await elsewhere.close();
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/sign-in']);
    const forbidden = await serveDashboard(fixture, {
      authorize: () => ({ kind: 'Refused', status: 403, detail: 'Ask the operators.' }),
    });
    const refused = await forbidden.get('/jobs/api/overview');
    await forbidden.close();
    expect([refused.status, refused.body.detail]).toEqual([403, 'Ask the operators.']);
  });

  it('refuses with 500 and without details if the host cannot decide', async () => {
    const broken = await serveDashboard(fixture, {
      authorize: () => {
        throw new Error('the session store is away: secret-host');
      },
    });
    const answer = await broken.get('/jobs/api/overview');
    await broken.close();
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('secret-host');
  });

  it.each([
    ['the visitor', { authorize: () => ({ kind: 'Admitted', name: 'bo', isReadOnly: true }) as const }],
    ['the dashboard', { isReadOnly: true }],
  ])('allows reads but no changes when %s is read-only', async (_who, options) => {
    const reading = await serveDashboard(fixture, options);
    const session = await reading.get('/jobs/api/session');
    const overview = await reading.get('/jobs/api/overview');
    const changes = await Promise.all(
      [
        `/jobs/api/jobs/${some}/requeue`,
        `/jobs/api/jobs/${some}/cancel`,
        `/jobs/api/jobs/${some}/delete`,
        '/jobs/api/jobs/bulk/run',
        '/jobs/api/jobs/bulk/count',
        '/jobs/api/queues/q/pause',
        '/jobs/api/queues/q/resume',
        '/jobs/api/queues/q/limit',
        '/jobs/api/recurring/eA/run',
        '/jobs/api/recurring/eA/pause',
        '/jobs/api/recurring/eA/resume',
      ].map((path) => reading.post(path)),
    );
    await reading.close();
    expect([session.body.mayAct, overview.status]).toEqual([false, 200]);
    expect(changes.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      changes.map(() => '403 dashboard-read-only'),
    );
  });
});

describe('a change request', () => {
  const path = `/jobs/api/jobs/${some}/cancel`;
  it.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
  ])('from a page of another site (%j) is refused', async (headers) => {
    expect((await served.post(path, {}, headers)).body).toMatchObject({
      status: 403,
      code: 'cross-site-request',
    });
  });

  it.each([[{ 'sec-fetch-site': 'same-origin' }], [{ 'sec-fetch-site': 'none' }], [{}]])(
    'from its own page or a program (%j) is accepted',
    async (headers) => {
      expect((await served.post(path, {}, headers)).status).toBe(404);
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/form-data'])(
    'as %s is refused with 415',
    async (type) => {
      expect((await served.post(path, '{}', { 'content-type': type })).status).toBe(415);
    },
  );

  it('must be a JSON object of at most 1 MB', async () => {
    for (const body of ['{', '[]', '1', 'null']) expect((await served.post(path, body)).status).toBe(400);
    expect((await served.post(path, { a: 'x'.repeat(1_000_001) })).status).toBe(413);
  });
});

describe('a dashboard address', () => {
  it('outside the prefix is passed to the host', async () => {
    for (const path of ['/', '/jobsx', '/job', '/other/jobs'])
      expect((await served.get(path)).status).toBe(418);
  });

  it.each([
    ['/jobs/api/unknown', 404],
    ['/jobs/api', 404],
    ['/jobs/api/jobs//counts', 404],
    ['/jobs/assets/none.js', 404],
    ['/jobs/assets/..%2f..%2fpackage.json', 404],
    ['/jobs/api/jobs/%zz', 400],
    [`/jobs/api/jobs?name=${'x'.repeat(9_000)}`, 400],
    ['/jobs/api/jobs/%00', 404],
    ['/jobs/api/recurring/%F0', 400],
    ['/jobs/api/endpoints/%00', 404],
  ])('%s is answered with %i', async (path, status) => {
    const answer = await served.get(path);
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it('returns the allowed methods with 405', async () => {
    const answer = await served.post('/jobs/api/overview');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await served.get(`/jobs/api/jobs/${some}/cancel`)).headers.get('allow')).toBe('POST');
  });

  it('answers HEAD like GET without the body', async () => {
    const status = await new Promise((resolve, reject) => {
      httpRequest(`${served.origin}/jobs/api/session`, { method: 'HEAD' }, (response) => {
        response.resume();
        response.on('end', () =>
          resolve([response.statusCode, Number(response.headers['content-length']) > 10]),
        );
      })
        .on('error', reject)
        .end();
    });
    expect(status).toEqual([200, true]);
  });

  it('has headers against caching, sniffing and framing', async () => {
    const { headers } = await served.get('/jobs/api/overview');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('hostile values', () => {
  const texts = [
    '\0',
    'a\0b',
    '\ud800',
    '\udc00\ud800',
    '99999999999999999999',
    '1e999',
    '-1',
    'x'.repeat(7_000),
  ];
  const encoded = (text: string) =>
    encodeURIComponent(text.replaceAll('\ud800', '\u0001').replaceAll('\udc00', '\u0002'))
      .replaceAll('%01', '%ED%A0%80')
      .replaceAll('%02', '%ED%B0%80');
  const paths = [
    'jobs',
    'jobs/counts',
    'jobs/failed-names',
    'overview',
    'recurring',
    'servers',
    'endpoints',
    'traces',
  ];
  const names = [
    'cursor',
    'limit',
    'name',
    'state',
    'queue',
    'server',
    'search',
    'from',
    'to',
    'key',
    'value',
    'tag',
    'traceId',
    'parentId',
    'batchId',
    'window',
    'sort',
    'after',
  ];
  const faultOf = (answer: { status: number; headers: Headers }) =>
    answer.status >= 500 ||
    (answer.status >= 400 && answer.headers.get('content-type') !== 'application/problem+json');

  it('in the query and path of a read cause no server error', async () => {
    const requestPaths = texts.flatMap((text) => [
      ...paths.flatMap((path) => names.map((name) => `${path}?${name}=${encoded(text)}`)),
      ...paths.flatMap((path) => [
        `${path}/${encoded(text)}`,
        `${path}/${some}/lines?after=${encoded(text)}`,
      ]),
    ]);
    const faults: string[] = [];
    for (const path of requestPaths) {
      const answer = await served.get(`/jobs/api/${path}`);
      if (faultOf(answer)) faults.push(`${answer.status} ${path.slice(0, 100)}`);
    }
    expect(faults).toEqual([]);
  });

  it('in the path and body of a change cause no server error', async () => {
    const faults: string[] = [];
    for (const text of texts) {
      const bodies: [string, unknown][] = [
        ['jobs/bulk/count', { action: text, ids: [some] }],
        ['jobs/bulk/count', { action: 'cancel', ids: [text] }],
        ...names.flatMap((name): [string, unknown][] => [
          ['jobs/bulk/count', { action: 'cancel', filter: { state: 'Enqueued', [name]: text } }],
          [
            'jobs/bulk/run',
            { action: 'cancel', filter: { state: 'Enqueued', [name]: text }, confirmedCount: 0 },
          ],
        ]),
        [
          'jobs/bulk/run',
          { action: 'cancel', filter: { state: 'Enqueued', [text]: text }, confirmedCount: 1e300 },
        ],
        ...['pause', 'resume'].map((act): [string, unknown] => [`queues/${encoded(text)}/${act}`, {}]),
        ...['run', 'pause', 'resume'].map((act): [string, unknown] => [
          `recurring/${encoded(text)}/${act}`,
          { key: text },
        ]),
        [`queues/${encoded(text)}/limit`, { limit: 1 }],
        ['queues/some/limit', { limit: text, concurrency: text }],
        ['queues/some/limit', { limit: 1e300, concurrency: 2_147_483_648, rate: 1e300 }],
        [`jobs/${encoded(text)}/cancel`, {}],
      ];
      for (const [path, body] of bodies) {
        const answer = await served.post(`/jobs/api/${path}`, body);
        if (faultOf(answer))
          faults.push(`${answer.status} ${path.slice(0, 80)} ${JSON.stringify(body).slice(0, 100)}`);
      }
    }
    expect(faults).toEqual([]);
  });
});

describe('a mounted dashboard', () => {
  it('reads bodies itself in Fastify and does not affect other routes', async () => {
    const dashboard = createJobsDashboard({
      database: { pool: fixture.pool },
      prefix: '/ops/jobs',
      authorize: () => ({ kind: 'Admitted', name: null }),
    });
    const app = fastify();
    app.register(dashboard.fastify);
    app.get('/other', () => 'the host');
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const body = JSON.stringify({ action: 'cancel', filter: { state: 'Enqueued' } });
    const headers = { 'content-type': 'application/json' };
    const count = await fetch(`${address}/ops/jobs/api/jobs/bulk/count`, { method: 'POST', body, headers });
    const read = await fetch(`${address}/ops/jobs/api/session`);
    const other = await fetch(`${address}/other`);
    await app.close();
    await dashboard.close();
    expect([count.status, await count.json()]).toEqual([200, { count: 0, isMore: false }]);
    expect([read.status, await other.text()]).toEqual([200, 'the host']);
    // The pool belongs to the host and remains open.
    expect((await fixture.pool.query('select 1')).rowCount).toBe(1);
  });

  it('does not start with a prefix that is not a path', () => {
    for (const prefix of ['', '/', 'jobs', '/jobs/', '/a b', '/<script>']) {
      expect(() =>
        createJobsDashboard({
          database: { pool: fixture.pool },
          prefix,
          authorize: () => ({ kind: 'Admitted', name: null }),
        }),
      ).toThrow(/prefix/);
    }
  });

  it('answers 503 while the database is unavailable', async () => {
    const nobody = createServer();
    await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
    const address = nobody.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await new Promise((resolve) => nobody.close(resolve));
    const away = await serveDashboard(fixture, {
      database: { connection: { ...fixture.database.connection, port } },
    });
    const answer = await away.get('/jobs/api/overview');
    await away.close();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(answer.text).not.toContain(String(port));
  });
});
