import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineJob } from '../declare.ts';
import { silentLogger } from '../engine/logger.ts';
import { createFixture, eventually, type Fixture } from '../testing/fixture.ts';
import {
  answer,
  answeringEndpoint,
  type EndpointDeclaration,
  enqueueingEndpoint,
} from './declare-endpoint.ts';
import { createEndpoints } from './endpoints.ts';
import { parseRouteTemplate } from './route-template.ts';

let fixture: Fixture;
const closers: (() => void)[] = [];

beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(async () => {
  for (const close of closers) close();
  await fixture.close();
});

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = http.createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

async function mapped(...declarations: EndpointDeclaration[]): Promise<string> {
  const endpoints = createEndpoints({ jobs: fixture.jobs(), logger: silentLogger });
  endpoints.map(declarations);
  return serve((request, response) => endpoints.handle(request, response));
}

const post = (url: string, body: string, type = 'application/json') =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': type } });

const parseId = (value: unknown): { id: string; q?: string } => {
  if (typeof value !== 'object' || value === null || !('id' in value)) throw new Error('id is missing');
  return value as { id: string };
};

describe('route templates', () => {
  it('match by constraint and are known without it', () => {
    const template = parseRouteTemplate('/orders/{id:int}/lines/{*rest}');
    expect(template.identity).toBe('/orders/{id}/lines/{*rest}');
    expect({ ...template.match('/Orders/5/lines/a/b%2Fc') }).toEqual({ id: '5', rest: 'a/b/c' });
    expect(template.match('/orders/x/lines/a')).toBeNull();
    expect(template.match('/orders/5')).toBeNull();
    expect(template.match('/orders/%zz/lines/a')).toBeNull();
  });

  it.each(['orders', '/{a}/{a}', '/{*rest}/x', '/{id:colour}', '/a{b}'])('refuse %s', (template) => {
    expect(() => parseRouteTemplate(template)).toThrow(/route template/);
  });
});

describe('200, 201, 204', () => {
  it('answer a value as JSON, with query and template values as the input of a GET', async () => {
    const endpoint = answeringEndpoint({
      method: 'GET',
      route: '/orders/{id}',
      parse: parseId,
      handler: ({ input }) => ({ got: input }),
    });
    const response = await fetch(`${await mapped(endpoint)}/orders/7?q=x&id=other`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ got: { id: '7', q: 'x' } });
  });

  it('answer nothing with 204, and a status and headers of its own when told', async () => {
    const base = await mapped(
      answeringEndpoint({ method: 'DELETE', route: '/a', parse: (value) => value, handler: () => undefined }),
      answeringEndpoint({
        method: 'POST',
        route: '/a',
        parse: parseId,
        handler: ({ input }) => answer(201, input, { location: '/a/1' }),
      }),
    );
    expect((await fetch(`${base}/a`, { method: 'DELETE' })).status).toBe(204);
    const created = await post(`${base}/a`, '{"id":"1"}');
    expect([created.status, created.headers.get('location'), await created.json()]).toEqual([
      201,
      '/a/1',
      { id: '1' },
    ]);
  });

  it('send an async iterable as events and stop it when the client goes away', async () => {
    let isOver = false;
    const endpoint = answeringEndpoint({
      method: 'GET',
      route: '/events',
      parse: (value) => value,
      handler: async function* ({ signal }) {
        yield { n: 1 };
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        isOver = true;
      },
    });
    const controller = new AbortController();
    const response = await fetch(`${await mapped(endpoint)}/events`, { signal: controller.signal });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: {"n":1}\n\n');
    controller.abort();
    await eventually(() => isOver);
  });
});

describe('202', () => {
  it('enqueues a job that carries the trace of the request', async () => {
    const job = defineJob<{ id: string }>({ name: 'over-http', queue: 'over-http', parse: parseId });
    const base = await mapped(enqueueingEndpoint({ method: 'POST', route: '/work', job }));
    const response = await fetch(`${base}/work`, {
      method: 'POST',
      body: '{"id":"1"}',
      headers: {
        'content-type': 'application/json',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      },
    });
    expect(response.status).toBe(202);
    const { jobId } = (await response.json()) as { jobId: string };
    expect(await fixture.jobs().get(jobId)).toMatchObject({
      state: 'Enqueued',
      payload: { id: '1' },
      traceId: '4bf92f35-77b3-4da6-a3ce-929d0e0e4736',
    });
  });
});

describe('400, 404, 413, 415, 500', () => {
  it('are answered as problems', async () => {
    const base = await mapped(
      answeringEndpoint({ method: 'POST', route: '/a', parse: parseId, handler: () => 'never' }),
      answeringEndpoint({
        method: 'GET',
        route: '/broken',
        parse: (value) => value,
        handler: () => {
          throw new Error('a secret of the inside');
        },
      }),
    );
    const answers = await Promise.all([
      post(`${base}/a`, '{"x":1}'),
      post(`${base}/a`, '{'),
      fetch(`${base}/nowhere`),
      post(`${base}/a`, `"${'x'.repeat(1_100_000)}"`),
      post(`${base}/a`, 'id=1', 'application/x-www-form-urlencoded'),
      fetch(`${base}/broken`),
    ]);
    expect(answers.map((response) => response.status)).toEqual([400, 400, 404, 413, 415, 500]);
    for (const response of answers) {
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(await response.text()).not.toContain('secret of the inside');
    }
  });
});

describe('groups', () => {
  it('are mapped one by one, each once', () => {
    const endpoints = createEndpoints({ jobs: fixture.jobs(), logger: silentLogger });
    const declare = (route: string, group?: string) =>
      answeringEndpoint({
        method: 'GET',
        route,
        parse: (value) => value,
        handler: () => 1,
        ...(group === undefined ? {} : { group }),
      });
    const declarations = [declare('/plain'), declare('/inner', 'inner')];
    endpoints.map(declarations, { group: 'inner', prefix: '/api' });
    expect(endpoints.list()).toEqual(['GET /api/inner']);
    expect(() => endpoints.map(declarations, { group: 'inner', prefix: '/api' })).toThrow(/mapped already/);
    endpoints.map(declarations);
    expect(endpoints.list()).toEqual(['GET /api/inner', 'GET /plain']);
    expect(() => endpoints.map([declare('/plain', 'x')], { group: 'x' })).toThrow(
      /GET \/plain is mapped already/,
    );
  });
});
