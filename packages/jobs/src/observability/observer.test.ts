import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineJob } from '../declare.ts';
import { silentLogger } from '../engine/logger.ts';
import { answeringEndpoint } from '../http/declare-endpoint.ts';
import { createEndpoints } from '../http/endpoints.ts';
import { createFixture, eventually, type Fixture, recordingLogger } from '../testing/fixture.ts';
import { createCallBuffer } from './call-buffer.ts';
import { bucketOf, percentileMs } from './counters.ts';
import { createObserver, type Observer } from './observer.ts';
import type { EndpointObservabilityOptions } from './options.ts';
import { endpointIdOf } from './reads.ts';

let fixture: Fixture;
const closers: (() => unknown)[] = [];
let sequence = 0;

beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(async () => {
  for (const close of closers) await close();
  await fixture.close();
});

type Handler = Parameters<typeof answeringEndpoint>[0]['handler'];

/** A host with one observed POST endpoint of a name of its own, and an error handler that maps errors to a status. */
async function host(
  handler: Handler,
  configure: (options: EndpointObservabilityOptions) => void = () => undefined,
  mapError: (error: unknown) => number = () => 500,
) {
  const route = `/things-${++sequence}/{id:int}`;
  const observer = createObserver({ pool: fixture.pool, random: () => 0.5 }, configure);
  const endpoints = createEndpoints({ jobs: fixture.jobs(), logger: silentLogger, observer });
  endpoints.map([
    answeringEndpoint({ method: 'POST', route, operation: 'makeThing', parse: (value) => value, handler }),
  ]);
  const listen = (request: IncomingMessage, response: ServerResponse) => {
    endpoints.route(request, response, () =>
      endpoints.observe(request, response, () =>
        endpoints.run(request, response, (error) => {
          response.writeHead(error === undefined ? 404 : mapError(error)).end('mapped by the host');
        }),
      ),
    );
  };
  const server = http.createServer(listen);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () => observer.stop(),
    () => void server.close(),
  );
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const path = route.replace('{id:int}', '5');
  return {
    observer,
    url: `http://127.0.0.1:${address.port}${path}`,
    id: endpointIdOf(`POST ${route.replace(':int', '')}`),
    identity: `POST ${route.replace(':int', '')}`,
  };
}

const send = (url: string, headers: Record<string, string> = {}, body = '{"a":1}') =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

/** The calls of an endpoint, once all of those that were counted have been stored. */
async function recorded(observer: Observer, id: string, count: number) {
  const reads = fixture.jobs().endpoints;
  await eventually(async () => {
    await observer.flush();
    return (await reads.detail(id))?.totalCalls === count;
  }, `${count} recorded calls`);
  return reads.calls(id);
}

describe('a recorded call', () => {
  it('holds identity, caller, timing and outcome, and no payload of a success', async () => {
    const { url, observer, id } = await host(
      () => ({ ok: true }),
      (options) => {
        options.userName = () => 'ada';
        options.groupSelector = () => 'team a';
        options.enrich = (_request, tags) => void tags.set('tenant', 'acme');
      },
    );
    await send(url, { 'user-agent': 'tester', authorization: 'Bearer secret' });
    const [call] = await recorded(observer, id, 1);
    expect(call).toMatchObject({
      method: 'POST',
      routeTemplate: expect.stringMatching(/^\/things-\d+\/\{id\}$/),
      operation: 'makeThing',
      groupName: 'team a',
      outcome: 'Success',
      statusCode: 200,
      remoteIp: '127.0.0.1',
      userAgent: 'tester',
      userName: 'ada',
      exceptionType: null,
      requestHeaders: null,
      responseHeaders: null,
      requestBody: null,
      responseBody: null,
      tags: { tenant: 'acme' },
      application: null,
    });
    expect(call?.durationMs).toBeGreaterThan(0);
    expect((call?.expireAt.getTime() ?? 0) - (call?.at.getTime() ?? 0)).toBe(7 * 86_400_000);
  });

  it('holds redacted headers and bodies of a failure, cut to their bounds, while the client gets everything', async () => {
    const { url, observer, id } = await host(
      () => {
        throw new Error('broken');
      },
      (options) => {
        options.maxCapturedBodySize = 10;
        options.redactedHeaders.add('X-Private');
      },
    );
    const response = await send(url, { authorization: 'Bearer secret', 'x-private': 'p', 'x-open': 'o' });
    expect([response.status, await response.text()]).toEqual([500, 'mapped by the host']);
    const [call] = await recorded(observer, id, 1);
    expect(call).toMatchObject({
      outcome: 'Failed',
      statusCode: 500,
      exceptionType: 'Error',
      exceptionMessage: 'broken',
      requestBody: '{"a":1}',
      responseBody: 'mapped by ',
      requestHeaders: { authorization: '***', 'x-private': '***', 'x-open': 'o' },
    });
    expect(JSON.stringify(call)).not.toContain('secret');
  });

  it('of an exception that the host maps to a status is no failure, but kept with its exception', async () => {
    class NotSignedInError extends Error {}
    const { url, observer, id } = await host(
      () => {
        throw new NotSignedInError('who are you');
      },
      (options) => {
        options.recordCalls = 'FailuresOnly';
      },
      (error) => (error instanceof NotSignedInError ? 401 : 500),
    );
    await send(url);
    const [call] = await recorded(observer, id, 1);
    expect(call).toMatchObject({
      outcome: 'Success',
      statusCode: 401,
      exceptionType: 'NotSignedInError',
      exceptionMessage: 'who are you',
      requestBody: '{"a":1}',
    });
    expect(await fixture.jobs().endpoints.detail(id)).toMatchObject({ errorCount: 0, errorRate: 0 });
  });

  it('of an exception after the answer began is a failure, whatever its status', async () => {
    const { url, observer, id } = await host(async function* () {
      yield 1;
      throw new Error('half way');
    });
    await send(url)
      .then((response) => response.text())
      .catch(() => undefined);
    const [call] = await recorded(observer, id, 1);
    expect(call).toMatchObject({ outcome: 'Failed', statusCode: 200, exceptionMessage: 'half way' });
  });

  it('is there for a client that went away', async () => {
    const began = Promise.withResolvers<void>();
    const { url, observer, id } = await host(async ({ signal }) => {
      began.resolve();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    const controller = new AbortController();
    const sent = fetch(url, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
      signal: controller.signal,
    }).catch(() => undefined);
    await began.promise;
    controller.abort();
    await sent;
    const [call] = await recorded(observer, id, 1);
    expect(call).toMatchObject({ statusCode: 499, outcome: 'Success' });
  });

  it('shares its trace with the jobs that it led to, and they lead back to it', async () => {
    const job = defineJob<string>({ name: 'related', queue: 'related', parse: String });
    const jobs = fixture.jobs();
    const { url, observer, id } = await host(() => jobs.enqueue(fixture.pool, job, 'x'));
    await send(url, { traceparent: '00-5bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' });
    const [call] = await recorded(observer, id, 1);
    const detail = await jobs.endpoints.call(call?.id ?? '');
    expect(detail?.relatedJobs).toMatchObject([{ name: 'related', state: 'Enqueued', queue: 'related' }]);
    expect((await jobs.endpoints.origin('5bf92f35-77b3-4da6-a3ce-929d0e0e4736'))?.id).toBe(call?.id);
  });
});

describe('which calls get a row', () => {
  const succeed: Handler = () => 'ok';

  it('none of the successes under FailuresOnly, while all are counted', async () => {
    const { url, observer, id } = await host(succeed, (options) => {
      options.recordCalls = 'FailuresOnly';
    });
    await send(url);
    await send(url);
    expect(await recorded(observer, id, 2)).toEqual([]);
  });

  it('the sampled share of the successes', async () => {
    const { url, observer, id } = await host(succeed, (options) => {
      options.sampleRate = 0.4;
    });
    await send(url);
    expect(await recorded(observer, id, 1)).toEqual([]);
  });

  it('those that are forced at their start, with everything captured', async () => {
    const { url, observer, id } = await host(succeed, (options) => {
      options.recordCalls = 'FailuresOnly';
      options.sampleRate = 0;
      options.captureHeaders = 'None';
      options.captureRequestBodies = 'None';
      options.captureResponseBodies = 'None';
      options.forceCapture = (request) => request.headers['x-debug'] === '1';
    });
    await send(url, { 'x-debug': '1' });
    const [call] = await recorded(observer, id, 1);
    expect(call).toMatchObject({ requestBody: '{"a":1}', responseBody: '"ok"' });
    expect(call?.requestHeaders?.['x-debug']).toBe('1');
  });

  it('all the same when the functions of the host throw', async () => {
    const { url, observer, id } = await host(succeed, (options) => {
      const broken = () => {
        throw new Error('of the host');
      };
      options.groupSelector = broken;
      options.enrich = broken;
      options.forceCapture = broken;
      options.userName = broken;
    });
    expect((await send(url)).status).toBe(200);
    expect(await recorded(observer, id, 1)).toMatchObject([{ groupName: null, tags: null, userName: null }]);
  });
});

describe('options', () => {
  it('take the first forwarded hop as the address only when told', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.9, 10.0.0.1' };
    const plain = await host(() => 1);
    await send(plain.url, forwarded);
    expect((await recorded(plain.observer, plain.id, 1))[0]?.remoteIp).toBe('127.0.0.1');
    const trusting = await host(
      () => 1,
      (options) => {
        options.useForwardedForIp = true;
      },
    );
    await send(trusting.url, forwarded);
    expect((await recorded(trusting.observer, trusting.id, 1))[0]?.remoteIp).toBe('203.0.113.9');
  });

  it('keep the newest rows of each endpoint when bounded', async () => {
    const { url, observer, id } = await host(() => 1);
    for (let at = 0; at < 4; at += 1) await send(url);
    await recorded(observer, id, 4);
    const cleaner = createObserver({ pool: fixture.pool }, (options) => {
      options.endpointCallLogRetentionCount = 2;
    });
    await eventually(async () => (await fixture.jobs().endpoints.calls(id)).length === 2);
    await cleaner.stop();
    expect((await fixture.jobs().endpoints.detail(id))?.totalCalls).toBe(4);
  });

  it('count an application apart from the others', async () => {
    const { url, observer, id, identity } = await host(
      () => 1,
      (options) => {
        options.applicationName = 'billing';
      },
    );
    await send(url);
    await recorded(observer, id, 1);
    const { endpoints } = fixture.jobs();
    expect(await endpoints.applications()).toEqual(['billing']);
    expect((await endpoints.list({ application: 'billing' })).map((one) => one.route)).toEqual([identity]);
    expect(await endpoints.detail(id, { application: 'other' })).toBeNull();
    expect(await endpoints.calls(id, { application: 'billing' })).toMatchObject([{ application: 'billing' }]);
  });

  it('send detail to the span and the meters instead of the database', async () => {
    const spans: Record<string, string | number>[] = [];
    const meters: Record<string, string | number>[] = [];
    const { url, observer, id } = await host(
      () => 1,
      (options) => {
        options.sink = 'Otel';
        options.telemetry = {
          setSpanAttributes: (attributes) => void spans.push({ ...attributes }),
          record: (_durationMs, attributes) => void meters.push({ ...attributes }),
        };
      },
    );
    await send(url);
    await eventually(() => spans.length === 1 && meters.length === 1);
    await observer.flush();
    expect(spans[0]).toMatchObject({ 'job.endpoint.method': 'POST', 'job.endpoint.status_code': 200 });
    expect(meters[0]).toMatchObject({ 'job.endpoint.outcome': 'Success' });
    expect(await fixture.jobs().endpoints.detail(id)).toBeNull();
  });

  it.each<[string, Partial<EndpointObservabilityOptions>]>([
    ['sampleRate', { sampleRate: 1.5 }],
    ['maxCapturedBodySize', { maxCapturedBodySize: -1 }],
    ['callLogBufferCapacity', { callLogBufferCapacity: 0 }],
    ['telemetry', { sink: 'Both' }],
  ])('refuse a bad %s by its name', (name, bad) => {
    const configure = (options: EndpointObservabilityOptions) => void Object.assign(options, bad);
    expect(() => createObserver({ pool: fixture.pool }, configure)).toThrow(new RegExp(name));
  });

  it('cannot be observed without being registered', () => {
    const endpoints = createEndpoints({ jobs: fixture.jobs(), logger: silentLogger });
    const request = new http.IncomingMessage(null as never);
    expect(() => endpoints.observe(request, new http.ServerResponse(request))).toThrow(/observer/);
  });
});

describe('metrics', () => {
  it('have percentiles as the upper edge of the bucket that holds the rank', () => {
    expect([0, 5, 6, 9_999, 60_000].map(bucketOf)).toEqual([0, 0, 1, 10, 10]);
    const buckets = [89, 0, 0, 0, 1, 5, 0, 4, 0, 1, 0];
    expect([0.5, 0.9, 0.95, 0.99].map((share) => percentileMs(buckets, share))).toEqual([5, 100, 250, 1_000]);
    expect(percentileMs([0, 0], 0.9)).toBe(0);
  });

  it('stay exact when rows are dropped and the database does not answer at first', async () => {
    const logger = recordingLogger();
    const { default: pg } = await import('pg');
    const away = new pg.Pool({ ...fixture.database.connection, max: 1 });
    const held = await away.connect();
    const observer = createObserver({ pool: away, logger }, (options) => {
      options.callLogBufferCapacity = 3;
    });
    const endpoints = createEndpoints({ jobs: fixture.jobs(), logger: silentLogger, observer });
    endpoints.map([
      answeringEndpoint({ method: 'GET', route: '/burst', parse: (value) => value, handler: () => 'x' }),
    ]);
    const server = http.createServer((request, response) => endpoints.handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    await Promise.all(Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/burst`)));
    await eventually(() => observer.droppedCount() === 17, '17 dropped rows');
    held.release();
    const id = endpointIdOf('GET /burst');
    const calls = await recorded(observer, id, 20);
    expect(calls).toHaveLength(3);
    expect((await fixture.jobs().endpoints.detail(id))?.p99DurationMs).toBeGreaterThan(0);
    await observer.stop();
    server.close();
    await away.end();
  });
});

describe('the buffer', () => {
  it('drops the oldest and counts them, and puts back in front what fits', () => {
    const buffer = createCallBuffer<number>(3);
    for (const item of [1, 2, 3, 4]) buffer.add(item);
    expect([buffer.size(), buffer.dropped(), buffer.take(2)]).toEqual([3, 1, [2, 3]]);
    buffer.add(5);
    buffer.putBack([2, 3]);
    expect([buffer.take(9), buffer.dropped()]).toEqual([[3, 4, 5], 2]);
  });
});
