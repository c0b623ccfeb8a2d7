import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { defineJob } from '../client/declare.ts';
import { addEndpointObservability } from '../observability/observer.ts';
import { endpointIdOf } from '../observability/reads.ts';
import { endpointHosts } from '../testing/endpoint-hosts.ts';
import { eventually } from '../testing/fixture.ts';
import {
  answer,
  answeringEndpoint,
  type EndpointDeclaration,
  enqueueingEndpoint,
} from './declare-endpoint.ts';

const hosts = endpointHosts();

const postJson = (url: string, body: string) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

type Handler = Parameters<typeof answeringEndpoint>[0]['handler'];
const get = (route: string, handler: Handler) =>
  answeringEndpoint({ method: 'GET', route, parse: (value) => value, handler });

/** Starts a Fastify host with these endpoints. */
async function hosted(
  declarations: readonly EndpointDeclaration[],
  options: { prepare?: (app: FastifyInstance) => void; isObserved?: boolean; prefix?: string } = {},
) {
  const observer = addEndpointObservability({ pool: hosts.fixture().pool }, (all) => {
    all.captureHeaders = 'Always';
    all.captureResponseBodies = 'Always';
  });
  const endpoints = hosts.endpoints(options.isObserved ? { observer } : {});
  endpoints.map(declarations);
  const origin = await hosts.serveFastify(endpoints, {
    ...options,
    complete: (app) => void app.addHook('onClose', () => observer.stop()),
  });
  return { observer, origin };
}

describe('Fastify responses', () => {
  it('contain headers from the host’s hooks, and pass its onSend hooks', async () => {
    const sent: unknown[] = [];
    const { origin } = await hosted(
      [
        get('/value', () => ({ ok: true })),
        get('/later', async () => answer(201, 'text', { Location: '/value' })),
        get('/nothing', () => null),
        get('/nothing-later', async () => undefined),
        get('/events', async function* () {
          yield 1;
        }),
        answeringEndpoint({ method: 'POST', route: '/body', parse: () => 1, handler: () => 1 }),
      ],
      {
        prepare: (app) => {
          app.addHook('onRequest', async (_request, reply) => {
            reply.header('access-control-allow-origin', 'https://example.org');
          });
          app.addHook('onSend', async (_request, reply, payload) => {
            sent.push(payload);
            reply.header('x-sent', 'yes');
          });
        },
      },
    );
    const answerOf = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${origin}${path}`, init);
      expect(response.headers.get('access-control-allow-origin')).toBe('https://example.org');
      return [
        response.status,
        response.headers.get('content-type'),
        await response.text(),
        response.headers.get('x-sent'),
      ];
    };
    const json = 'application/json; charset=utf-8';
    expect(await answerOf('/value')).toEqual([200, json, '{"ok":true}', 'yes']);
    expect(await answerOf('/later')).toEqual([201, json, '"text"', 'yes']);
    expect((await fetch(`${origin}/later`)).headers.get('location')).toBe('/value');
    expect(await answerOf('/nothing')).toEqual([204, null, '', 'yes']);
    expect(await answerOf('/nothing-later')).toEqual([204, null, '', 'yes']);
    // A stream bypasses the reply.
    expect(await answerOf('/events')).toEqual([200, 'text/event-stream', 'data: 1\n\n', null]);
    const refused = await answerOf('/body', {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(refused.slice(0, 2)).toEqual([400, 'application/problem+json']);
    expect(sent.length).toBeGreaterThanOrEqual(6);
  });

  it('leave errors of a handler to the host, for any thrown value, synchronous or asynchronous', async () => {
    const { origin } = await hosted(
      [
        get('/now', () => {
          throw new TypeError('now');
        }),
        get('/later', async () => {
          throw new TypeError('later');
        }),
        get('/text', () => {
          throw 'a text';
        }),
        get('/unwritable', () => ({ n: 1n })),
        get('/half', async function* () {
          yield 1;
          throw new Error('half way');
        }),
      ],
      {
        prepare: (app) => {
          app.setErrorHandler((error, _request, reply) =>
            reply.code(418).send({ mapped: error instanceof Error ? error.constructor.name : error }),
          );
        },
      },
    );
    const answerOf = async (path: string) => {
      const response = await fetch(`${origin}${path}`);
      return [response.status, await response.json()];
    };
    expect(await answerOf('/now')).toEqual([418, { mapped: 'TypeError' }]);
    expect(await answerOf('/later')).toEqual([418, { mapped: 'TypeError' }]);
    expect(await answerOf('/text')).toEqual([418, { mapped: 'a text' }]);
    expect(await answerOf('/unwritable')).toEqual([418, { mapped: 'TypeError' }]);
    await expect(fetch(`${origin}/half`).then((response) => response.text())).rejects.toThrow();
  });
});

describe('Fastify routes', () => {
  it('are selected by constraints and use the parameter names of their own template', async () => {
    const { origin } = await hosted([
      get('/a/{id:int}', ({ params }) => ({ int: params })),
      get('/a/{name:alpha}', ({ params }) => ({ alpha: params })),
      get('/b/{first}/{*rest}', ({ params }) => params),
    ]);
    const answerOf = async (path: string) => (await fetch(`${origin}${path}`)).text();
    expect(await answerOf('/a/7')).toBe('{"int":{"id":"7"}}');
    expect(await answerOf('/a/x')).toBe('{"alpha":{"name":"x"}}');
    expect(await answerOf('/b/a%2Fb/c/d?first=no')).toBe('{"first":"a/b","rest":"c/d"}');
    for (const path of ['/a/7x', '/a/', '/a/7/more']) {
      expect((await fetch(`${origin}${path}`)).status).toBe(404);
    }
  });

  it('include the prefix of the plugin, also in status URLs', async () => {
    const job = defineJob<unknown>({ name: 'prefixed', queue: 'prefixed', parse: (value) => value });
    const { origin } = await hosted([enqueueingEndpoint({ method: 'POST', route: '/work', job })], {
      prefix: '/v1',
    });
    const response = await fetch(`${origin}/v1/work`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(202);
    const { statusUrl, jobId } = (await response.json()) as { statusUrl: string; jobId: string };
    expect([statusUrl, response.headers.get('location')]).toEqual([`/v1/jobs/${jobId}`, `/v1/jobs/${jobId}`]);
    expect(await (await fetch(`${origin}${statusUrl}`)).json()).toMatchObject({ jobId, state: 'Enqueued' });
  });
});

describe('observation of Fastify endpoints', () => {
  it('records each call once with its response, regardless of the sender of the response', async () => {
    const job = defineJob<null>({ name: 'in-fastify', queue: 'in-fastify', parse: () => null });
    const jobs = hosts.fixture().jobs();
    const { origin, observer } = await hosted(
      [
        get('/seen/{what:alpha}', async ({ params }) => {
          if (params['what'] === 'broken') throw new TypeError('broken');
          if (params['what'] === 'spawning') await jobs.enqueue(jobs.executor, job, null);
          return { what: params['what'] };
        }),
      ],
      {
        isObserved: true,
        prepare: (app) => {
          app.setErrorHandler((_error, _request, reply) => reply.code(503).send({ mapped: true }));
        },
      },
    );
    expect((await fetch(`${origin}/seen/well`)).status).toBe(200);
    expect((await fetch(`${origin}/seen/broken`)).status).toBe(503);
    expect((await fetch(`${origin}/seen/spawning`)).status).toBe(200);
    expect((await fetch(`${origin}/seen/7`)).status).toBe(404);
    const id = endpointIdOf('GET /seen/{what}');
    const rows = await eventually(async () => {
      await observer.flush();
      const kept = await jobs.endpoints.calls(id);
      return kept.length === 3 && kept;
    });
    expect(rows.toReversed()).toMatchObject([
      {
        statusCode: 200,
        responseBody: '{"what":"well"}',
        responseHeaders: { 'content-type': 'application/json; charset=utf-8', 'content-length': '15' },
        remoteIp: '127.0.0.1',
      },
      { statusCode: 503, outcome: 'Failed', exceptionType: 'TypeError', responseBody: '{"mapped":true}' },
      { statusCode: 200 },
    ]);
    const spawning = await jobs.endpoints.call(rows[0]?.id ?? '');
    expect(spawning?.relatedJobs).toMatchObject([{ name: 'in-fastify' }]);
    expect(await jobs.endpoints.detail(id)).toMatchObject({ totalCalls: 3, errorCount: 1 });
  });
});

describe('Fastify endpoints', () => {
  it('have a route for each endpoint, with the hooks and the error handling of the host', async () => {
    const endpoints = hosts.endpoints();
    endpoints.map(
      [
        answeringEndpoint({
          method: 'POST',
          route: '/orders/{id:int}',
          parse: (value) => value,
          handler: ({ input, params }) => ({ input, id: params['id'] }),
        }),
        answeringEndpoint({
          method: 'GET',
          route: '/files/{*rest}',
          parse: (value) => value as { rest: string },
          handler: ({ input }) => {
            if (input.rest === 'broken') throw new TypeError('broken');
            return input.rest;
          },
        }),
      ],
      { prefix: '/lib' },
    );
    const hooked: string[] = [];
    const base = await hosts.serveFastify(endpoints, {
      prepare: (app) => {
        app.addHook('onRequest', async (request, reply) => {
          hooked.push(request.url);
          if (request.headers['x-deny'] === '1') return reply.code(403).send({ denied: true });
        });
        app.setErrorHandler((error, _request, reply) =>
          reply.code(error instanceof TypeError ? 418 : 500).send({ mapped: true }),
        );
        app.post('/own', (request) => ({ own: request.body }));
      },
    });
    expect(await (await postJson(`${base}/lib/orders/7`, '{"a":1}')).json()).toEqual({
      input: { a: 1 },
      id: '7',
    });
    expect(await (await postJson(`${base}/own`, '{"a":1}')).json()).toEqual({ own: { a: 1 } });
    expect(await (await fetch(`${base}/lib/files/a/b`)).json()).toBe('a/b');
    const denied = await fetch(`${base}/lib/files/a`, { headers: { 'x-deny': '1' } });
    expect([denied.status, await denied.json()]).toEqual([403, { denied: true }]);
    const broken = await fetch(`${base}/lib/files/broken`);
    expect([broken.status, await broken.json()]).toEqual([418, { mapped: true }]);
    // Refusals by the constraint, by the endpoint, and by the host's router.
    expect((await postJson(`${base}/lib/orders/x`, '{}')).status).toBe(404);
    expect((await postJson(`${base}/lib/orders/7`, '{')).status).toBe(400);
    expect((await fetch(`${base}/lib/orders/7`)).status).toBe(404);
    expect(hooked).toContain('/lib/orders/7');
  });
});
