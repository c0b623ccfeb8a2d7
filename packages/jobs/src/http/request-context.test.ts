import { once } from 'node:events';
import type http from 'node:http';
import net from 'node:net';
import v8 from 'node:v8';
import vm from 'node:vm';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { currentJobContext } from '../context.ts';
import { endpointHosts } from '../testing/endpoint-hosts.ts';
import { answeringEndpoint } from './declare-endpoint.ts';
import { fastifyEndpoints } from './fastify.ts';

const hosts = endpointHosts();

const traceOf = () => currentJobContext()?.traceId ?? null;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const traceparent = (digit: string) => `00-${digit.repeat(32)}-${'1'.repeat(16)}-01`;
const uuidOf = (digit: string) => [8, 4, 4, 4, 12].map((count) => digit.repeat(count)).join('-');

/** Trace ids that endpoints had after they responded, by id. */
const later = new Map<string, Promise<string | null>>();

/**
 * Maps `/now`, which returns its trace id immediately, `/late`, which also returns it after a delay, and `/left`, which
 * reads it again after its response.
 */
function mapped() {
  const endpoints = hosts.endpoints();
  const get = (route: string, handler: (id: string) => unknown) =>
    answeringEndpoint({
      method: 'GET',
      route,
      parse: (value) => (value as { id: string }).id,
      handler: ({ input }) => handler(input),
    });
  endpoints.map([
    get('/now/{id}', () => ({ seen: [traceOf()] })),
    get('/late/{id}', async () => {
      const first = traceOf();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { seen: [first, traceOf()] };
    }),
    get('/left/{id}', (id) => {
      later.set(id, new Promise((resolve) => setTimeout(() => resolve(traceOf()), 40)));
      return { seen: [traceOf()] };
    }),
  ]);
  return endpoints;
}

/** Sends requests on one connection, either pipelined or one after the other, and returns the trace ids of each. */
async function onOneConnection(
  origin: string,
  requests: readonly (readonly [path: string, digit: string])[],
  isPipelined: boolean,
): Promise<(string | null)[][]> {
  const socket = net.connect(Number(new URL(origin).port), '127.0.0.1');
  await once(socket, 'connect');
  let received = '';
  let answered = Promise.withResolvers<void>();
  socket.on('data', (chunk) => {
    received += chunk.toString();
    answered.resolve();
  });
  const count = () => received.split('HTTP/1.1 200').length - 1;
  const until = async (wanted: number) => {
    while (count() < wanted || !received.trimEnd().endsWith('}')) {
      answered = Promise.withResolvers<void>();
      await answered.promise;
    }
  };
  for (const [at, [path, digit]] of requests.entries()) {
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\ntraceparent: ${traceparent(digit)}\r\n\r\n`);
    if (!isPipelined) await until(at + 1);
  }
  await until(requests.length);
  socket.destroy();
  return [...received.matchAll(/\{"seen":(\[.*?\])\}/g)].map(([, seen]) => JSON.parse(seen ?? '[]'));
}

/** Starts a Fastify host and a Node host. Each has a separate route without a context. */
async function origins(): Promise<string[]> {
  const onFastify = await hosts.serveFastify(mapped(), {
    prepare: (app) => void app.get('/own/:id', () => ({ seen: [traceOf()] })),
  });
  const endpoints = mapped();
  const onNode = await hosts.serve((request, response) =>
    endpoints.handle(request, response, () => response.end(JSON.stringify({ seen: [traceOf()] }))),
  );
  return [onFastify, onNode];
}

describe('the context of a request', () => {
  it.each([
    ['in sequence', false],
    ['with pipelining', true],
  ])(
    'is separate for requests on one connection %s, and absent for requests that the host serves',
    async (_, pipelined) => {
      for (const origin of await origins()) {
        const seen = await onOneConnection(
          origin,
          [
            ['/own/1', 'e'],
            ['/now/1', 'a'],
            ['/own/2', 'e'],
            ['/late/1', 'b'],
            ['/late/2', 'c'],
            ['/now/2', 'd'],
            ['/own/3', 'e'],
          ],
          pipelined,
        );
        const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(uuidOf);
        expect(seen).toEqual([[null], [a], [null], [b, b], [c, c], [d], [null]]);
      }
    },
  );

  it('remains for work after the response, while other requests arrive on the connection', async () => {
    for (const origin of await origins()) {
      await onOneConnection(
        origin,
        [
          ['/left/one', 'a'],
          ['/left/two', 'b'],
          ['/now/1', 'c'],
        ],
        false,
      );
      expect([await later.get('one'), await later.get('two')]).toEqual([uuidOf('a'), uuidOf('b')]);
    }
  });

  it('is separate for calls that run at the same time', async () => {
    for (const origin of await origins()) {
      const digits = ['1', '2', '3', '4', '5', '6', '7', '8'];
      const seen = await Promise.all(
        digits.map((digit) => onOneConnection(origin, [['/late/1', digit]], false)),
      );
      expect(seen).toEqual(digits.map((digit) => [[uuidOf(digit), uuidOf(digit)]]));
    }
  });

  it('does not extend to code that injects a request, during the call and after it', async () => {
    const app = fastify();
    await app.register(fastifyEndpoints(mapped()));
    const injected = app.inject({ url: '/late/1', headers: { traceparent: traceparent('a') } });
    expect(traceOf()).toBeNull();
    expect((await injected).json()).toEqual({ seen: [uuidOf('a'), uuidOf('a')] });
    expect(traceOf()).toBeNull();
    await app.close();
  });

  it('does not extend to a host that dispatches stored requests', async () => {
    const endpoints = mapped();
    const kept: [http.IncomingMessage, http.ServerResponse][] = [];
    const origin = await hosts.serve((...both) => void kept.push(both));
    const answers = ['a', 'b'].map(async (digit) => {
      const response = await fetch(`${origin}/now/1`, { headers: { traceparent: traceparent(digit) } });
      return response.json();
    });
    while (kept.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const [request, response] of kept) {
      endpoints.handle(request, response);
      expect(traceOf()).toBeNull();
    }
    expect(await Promise.all(answers)).toEqual([{ seen: [uuidOf('a')] }, { seen: [uuidOf('b')] }]);
    expect(traceOf()).toBeNull();
  });

  it('retains nothing of an answered request while its connection waits for the next', async () => {
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc') as () => void;
    const seen: WeakRef<object>[] = [];
    const endpoints = hosts.endpoints();
    endpoints.map(
      (['GET', 'POST'] as const).map((method) =>
        answeringEndpoint({
          method,
          route: '/kept',
          parse: (value) => value as object,
          handler: ({ input }) => {
            seen.push(new WeakRef(input));
            return traceOf();
          },
        }),
      ),
    );
    const origin = await hosts.serveFastify(endpoints);
    const requests = [
      'GET /kept HTTP/1.1\r\nhost: a\r\n\r\n',
      'POST /kept HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n{"a":1}',
    ];
    const sockets: net.Socket[] = [];
    for (const request of requests) {
      const socket = net.connect(Number(new URL(origin).port), '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write(request);
      await once(socket, 'data');
    }
    const left = () => seen.filter((one) => one.deref() !== undefined).length;
    for (let turn = 0; turn < 20 && left() > 0; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      collect();
    }
    expect([seen.length, left(), ...sockets.map((socket) => socket.readyState)]).toEqual([
      2,
      0,
      'open',
      'open',
    ]);
    for (const socket of sockets) socket.destroy();
  });

  it('has a new trace id if the request has none', async () => {
    for (const origin of await origins()) {
      const { seen } = (await (await fetch(`${origin}/late/1`)).json()) as { seen: string[] };
      expect(seen[0]).toMatch(uuidPattern);
      expect(seen[1]).toBe(seen[0]);
    }
  });
});
