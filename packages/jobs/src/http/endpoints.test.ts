import { describe, expect, it } from 'vitest';
import { defineJob } from '../client/declare.ts';
import { endpointHosts } from '../testing/endpoint-hosts.ts';
import { eventually } from '../testing/fixture.ts';
import {
  answer,
  answeringEndpoint,
  type EndpointDeclaration,
  enqueueingEndpoint,
} from './declare-endpoint.ts';

const hosts = endpointHosts();

async function mapped(...declarations: EndpointDeclaration[]): Promise<string> {
  const endpoints = hosts.endpoints();
  endpoints.map(declarations);
  return hosts.serve((request, response) => endpoints.handle(request, response));
}

const post = (url: string, body: string, type = 'application/json') =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': type } });

const parseId = (value: unknown): { id: string; q?: string } => {
  if (typeof value !== 'object' || value === null || !('id' in value)) throw new Error('id is missing');
  return value as { id: string };
};

describe('responses with 200, 201 or 204', () => {
  it('contain the result as JSON, with query and route values as the input of a GET', async () => {
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

  it.each(['/a/{id}/{name}', '/a/{id}/{__proto__}'])(
    'give the handler of %s its values as a separate object',
    async (route) => {
      const endpoint = answeringEndpoint({
        method: 'GET',
        route,
        parse: (value) => {
          if (typeof value !== 'object' || value === null) throw new Error('no object');
          const hasObjectPrototype = Object.getPrototypeOf(value) === Object.prototype;
          const entries = Object.entries(value);
          Object.assign(value, { id: 'changed' });
          return { hasObjectPrototype, entries };
        },
        handler: ({ input, params }) => ({ ...input, id: params['id'] }),
      });
      const response = await fetch(`${await mapped(endpoint)}/a/7/x`);
      const name = route.includes('__proto__') ? '__proto__' : 'name';
      expect(await response.json()).toEqual({
        hasObjectPrototype: true,
        entries: [
          ['id', '7'],
          [name, 'x'],
        ],
        id: '7',
      });
    },
  );

  it('are 204 without a result, or have the status and headers that the handler sets', async () => {
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

  it('stream an async iterable as events and stop it when the client disconnects', async () => {
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

describe('responses with 202', () => {
  it('enqueue a job with the trace of the request', async () => {
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
    const { jobId, statusUrl } = (await response.json()) as { jobId: string; statusUrl: string };
    expect(await hosts.fixture().jobs().get(jobId)).toMatchObject({
      state: 'Enqueued',
      payload: { id: '1' },
      traceId: '4bf92f35-77b3-4da6-a3ce-929d0e0e4736',
    });
    expect([statusUrl, response.headers.get('location')]).toEqual([`/jobs/${jobId}`, `/jobs/${jobId}`]);
  });

  it('contain the status URL, which returns the state of the job without its payload', async () => {
    const job = defineJob<{ id: string }>({ name: 'with-status', queue: 'with-status', parse: parseId });
    const other = defineJob<{ id: string }>({ name: 'without-endpoint', parse: parseId });
    const jobs = hosts.fixture().jobs();
    const endpoints = hosts.endpoints({ jobs });
    endpoints.map([enqueueingEndpoint({ method: 'POST', route: '/work', job })], { prefix: '/api' });
    // Like Express, removes the mount path from the URL.
    const base = await hosts.serve((request, response) => {
      const originalUrl = request.url ?? '';
      Object.assign(request, { originalUrl, url: originalUrl.replace('/mounted', '') });
      endpoints.handle(request, response);
    });
    const { statusUrl, jobId } = (await (
      await post(`${base}/mounted/api/work`, '{"id":"planted"}')
    ).json()) as { statusUrl: string; jobId: string };
    expect(statusUrl).toBe(`/mounted/api/jobs/${jobId}`);
    jobs.handle(job, (_payload, run) => run.progress(1, 'done'));
    expect(await (await fetch(`${base}${statusUrl}`)).json()).toMatchObject({ jobId, state: 'Enqueued' });
    await jobs.start();
    const completed = await eventually(async () => {
      const text = await (await fetch(`${base}${statusUrl}`)).text();
      return text.includes('"Completed"') && text;
    });
    expect(completed).not.toContain('planted');
    // The status of jobs that no endpoint enqueues is not accessible here.
    const hidden = await jobs.enqueue(jobs.executor, other, { id: '1' });
    for (const id of [hidden.jobId, '0198a3c2-0000-7000-8000-000000000001', 'none']) {
      expect((await fetch(`${base}/mounted/api/jobs/${id}`)).status).toBe(404);
    }
  });

  it('contain no status URL if it is disabled', async () => {
    const job = defineJob<{ id: string }>({ name: 'no-status', parse: parseId });
    const endpoints = hosts.endpoints({ statusRoute: null });
    endpoints.map([enqueueingEndpoint({ method: 'POST', route: '/work', job })]);
    expect(endpoints.list()).toEqual(['POST /work']);
    const base = await hosts.serve((request, response) => endpoints.handle(request, response));
    const response = await post(`${base}/work`, '{"id":"1"}');
    expect([response.status, response.headers.get('location')]).toEqual([202, null]);
    expect(Object.keys((await response.json()) as object)).toEqual(['jobId']);
  });
});

describe('responses with 503', () => {
  it('have Retry-After while the database is unavailable', async () => {
    const away = answeringEndpoint({
      method: 'GET',
      route: '/away',
      parse: (value) => value,
      handler: () => {
        throw Object.assign(new Error('terminating connection'), { code: '57P01' });
      },
    });
    const response = await fetch(`${await mapped(away)}/away`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });
});

describe('text that cannot be stored', () => {
  const faulty = ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00\\ud800'];
  it('is refused as an error of the caller if a job would contain it', async () => {
    const job = defineJob<{ id: string }>({ name: 'with-text', queue: 'with-text', parse: parseId });
    const base = await mapped(
      enqueueingEndpoint({ method: 'POST', route: '/work', job }),
      enqueueingEndpoint({ method: 'DELETE', route: '/work/{id}', job }),
    );
    const answers = [
      ...(await Promise.all(faulty.map((text) => post(`${base}/work`, `{"id":"${text}"}`)))),
      ...(await Promise.all(faulty.map((text) => post(`${base}/work`, `{"id":"a","${text}":1}`)))),
      await fetch(`${base}/work/%00`, { method: 'DELETE' }),
      await fetch(`${base}/work/a?more=%00`, { method: 'DELETE' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    for (const response of answers)
      expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect((await post(`${base}/work`, '{"id":"\\ud83d\\ude00 \\\\u0000"}')).status).toBe(202);
    for (const id of ['%00', 'a%00', '%ED%A0%80'])
      expect([400, 404]).toContain((await fetch(`${base}/jobs/${id}`)).status);
  });
});

describe('responses with 400, 404, 413, 415 or 500', () => {
  it('are problem documents without internal details', async () => {
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

describe('present', () => {
  it('checks the result of a handler, and a refusal is an error of the endpoint', async () => {
    const base = await mapped(
      answeringEndpoint({
        method: 'GET',
        route: '/a',
        parse: (value) => value,
        present: (value) => {
          if (value !== 'good') throw new Error('not as declared');
          return { value };
        },
        handler: ({ query }) => query.get('v'),
      }),
    );
    expect(await (await fetch(`${base}/a?v=good`)).json()).toEqual({ value: 'good' });
    expect((await fetch(`${base}/a?v=bad`)).status).toBe(500);
  });
});

describe('endpoint groups', () => {
  it('are mapped one by one, each once', () => {
    const endpoints = hosts.endpoints();
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
