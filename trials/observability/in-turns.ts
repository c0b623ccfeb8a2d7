import net from 'node:net';
import fastify from 'fastify';
import pg from 'pg';
import { startBenchDatabase } from '../../bench/run/database.ts';
import { median } from '../../bench/run/rounds.ts';
import {
  addEndpointObservability,
  answeringEndpoint,
  createEndpoints,
  createJobs,
  fastifyEndpoints,
  migrateJobs,
} from '../../packages/jobs/src/index.ts';

/**
 * `node --conditions=svc-source trials/observability/in-turns.ts [rounds] [ms]`: measures processor time of the main
 * thread per call over a real socket. Compares unobserved endpoints, counted ones, and endpoints with a row per call
 * with a bare Fastify route. All hosts are in one process and take short turns, so that other load on the machine
 * affects them equally. Each turn includes sending its records. The client has sixteen raw sockets in the same process.
 */
const rounds = Number(process.argv[2] ?? 40);
const turnMs = Number(process.argv[3] ?? 150);
const connections = 16;
const warmTurns = 4;

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const answerOf = (id: string) => ({ id, state: 'Confirmed', lines: [1, 2, 3] });
const request = Buffer.from('GET /orders/7 HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: trial\r\n\r\n');

type Kind = 'bare' | 'library' | 'aggregates' | 'rows';

async function startHost(kind: Kind, connection: pg.ClientConfig) {
  const app = fastify();
  const pool = new pg.Pool({ ...connection, max: 4 });
  pool.on('error', () => undefined);
  const isObserved = kind === 'aggregates' || kind === 'rows';
  const observer = isObserved
    ? addEndpointObservability({ pool }, (options) => {
        if (kind === 'rows') return;
        options.sampleRate = 0;
        options.captureHeaders = 'None';
        options.captureRequestBodies = 'None';
        options.captureResponseBodies = 'None';
      })
    : null;
  if (kind === 'bare') {
    app.get<{ Params: { id: string } }>('/orders/:id', async ({ params }) => answerOf(params.id));
  } else {
    const jobs = createJobs({ pool });
    const endpoints = createEndpoints({ jobs, logger: silent, ...(observer && { observer }) });
    endpoints.map([
      answeringEndpoint({
        method: 'GET',
        route: '/orders/{id}',
        parse: (value) => value as { id: string },
        handler: ({ input }) => answerOf(input.id),
      }),
    ]);
    await app.register(fastifyEndpoints(endpoints));
  }
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);

  let isRunning = false;
  let answered = 0;
  let resting = 0;
  let rested = Promise.withResolvers<void>();
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = net.connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      await new Promise<void>((resolve) => socket.once('connect', resolve));
      // An answer is short enough to arrive in one chunk.
      socket.on('data', () => {
        answered += 1;
        if (isRunning) socket.write(request);
        else if (++resting === connections) rested.resolve();
      });
      return socket;
    }),
  );

  return {
    kind,
    /** Returns the processor time per call in µs. */
    turn: async (): Promise<number> => {
      const before = process.threadCpuUsage();
      isRunning = true;
      answered = 0;
      resting = 0;
      rested = Promise.withResolvers<void>();
      for (const socket of sockets) socket.write(request);
      setTimeout(() => {
        isRunning = false;
      }, turnMs);
      await rested.promise;
      await observer?.flush();
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / answered;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await app.close();
      await observer?.stop();
      await pool.end();
    },
  };
}

const database = await startBenchDatabase();
const client = new pg.Client(database.connection);
await client.connect();
await migrateJobs(client);
await client.end();
const kinds: readonly Kind[] = ['bare', 'library', 'aggregates', 'rows'];
const hosts: Awaited<ReturnType<typeof startHost>>[] = [];
for (const kind of kinds) hosts.push(await startHost(kind, database.connection));

const micros = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
for (let round = -warmTurns; round < rounds; round += 1) {
  for (const host of round % 2 === 0 ? hosts : hosts.toReversed()) {
    const taken = await host.turn();
    if (round >= 0) micros.get(host.kind)?.push(taken);
  }
}
const bare = micros.get('bare') ?? [];
for (const [kind, taken] of micros) {
  const more = taken.map((value, round) => value - (bare[round] ?? Number.NaN));
  process.stdout.write(
    `${kind.padEnd(12)}${median(taken).toFixed(1).padStart(7)} µs a call${median(more).toFixed(1).padStart(7)} more than bare\n`,
  );
}
for (const host of hosts) await host.stop();
await database.stop();
