import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrateJobs } from '../../packages/jobs/src/index.ts';
import type { Bench } from '../run/bench.ts';
import { startBenchDatabase } from '../run/database.ts';
import type { Load, LoadResult } from '../run/http-load.ts';
import { type Comparison, printPairs } from '../run/report.ts';
import { inPairs } from '../run/rounds.ts';
import { type Subject, startSubject } from '../run/subject.ts';
import type { HostConfig } from './host.ts';

const folder = import.meta.dirname;
const connections = 16;
/** What a subject that stores rows has still to store, at most a second's, is stored in no other's turn. */
const restMs = 1_200;
/** Turns into which those are divided that store no rows: many short ones tell more than few long ones. */
const shortTurns = 10;

const columns = [
  { title: 'requests/s', number: 'perSecond', digits: 0 },
  { title: 'ms median', number: 'medianMs', digits: 2 },
  { title: 'ms p99', number: 'p99Ms', digits: 2 },
  { title: 'µs CPU', number: 'cpuMicrosEach', digits: 1 },
  { title: 'MB', number: 'rssMb', digits: 0 },
];

/** What it costs to observe an endpoint, and what it costs when the database is away. */
export const bench: Bench = {
  purpose:
    'an endpoint of a Fastify host, observed by the job library, prom-client and OpenTelemetry, against nobody',
  run: async ({ rounds, roundMs }) => {
    const database = await startBenchDatabase();
    const { connection } = database;
    const client = new pg.Client(connection);
    await client.connect();
    await migrateJobs(client);
    await client.end();
    // Nobody listens there.
    const away = { ...connection, host: '127.0.0.1', port: 1 };
    const start = (kind: HostConfig['kind'], to: pg.ClientConfig = connection, name: string = kind) =>
      startSubject(name, path.join(folder, 'host.ts'), { kind, connection: to } satisfies HostConfig);
    const generator = await startSubject('generator', path.join(folder, '../run/http-load.ts'), {});
    const bare = await start('bare');
    const library = await start('library');
    const aggregates = await start('aggregates');
    const rows = await start('rows');
    const prom = await start('prom-client');
    const otel = await start('opentelemetry');
    const rowsAway = await start('rows', away, 'rows, database away');
    const subjects = [bare, library, aggregates, rows, prom, otel, rowsAway];
    const compare = async (
      title: string,
      floor: Subject,
      subject: Subject,
      comparisons: readonly Comparison[],
      turnMs: number,
      count: number,
    ) => {
      const measured = (of: Subject) => ({
        name: of.name,
        measure: async () => {
          const numbers = await loadOf(of, generator, turnMs);
          if (of === rows) await sleep(restMs);
          return numbers;
        },
      });
      const pairs = await inPairs(measured(floor), measured(subject), count);
      const names = { floor: floor.name, contender: subject.name };
      for (const comparison of comparisons) printPairs(title, names, pairs, columns, comparison);
    };
    const title = `GET /orders/{id}, ${connections} connections`;
    const rate = { number: 'perSecond', isMoreBetter: true };
    try {
      for (const subject of [library, aggregates, prom, otel]) {
        const comparison = { ...rate, target: 0.9 };
        await compare(
          `${title}: counters`,
          bare,
          subject,
          [comparison],
          roundMs / shortTurns,
          rounds * shortTurns,
        );
      }
      const rowsTarget = { ...rate, target: 0.75 };
      await compare(`${title}: a row per call`, bare, rows, [rowsTarget], roundMs, 2 * rounds);
      const latencies = ['medianMs', 'p99Ms'].map((number) => ({
        number,
        isMoreBetter: false,
        target: 0.95,
      }));
      await compare('the database is away', rows, rowsAway, latencies, roundMs, rounds);
      const told = (await rowsAway.act({})) as { dropped: number };
      process.stdout.write(`\nRows dropped while the database was away: ${told.dropped}\n`);
    } finally {
      await Promise.all([generator, ...subjects].map((subject) => subject.stop()));
      await database.stop();
    }
  },
};

async function loadOf(
  subject: Subject,
  generator: Subject,
  durationMs: number,
): Promise<Record<string, number>> {
  await subject.usage();
  const request: Load = {
    origin: String(subject.ready['origin']),
    path: '/orders/7',
    method: 'GET',
    headers: { 'user-agent': 'bench' },
    status: 200,
    connections,
    durationMs,
  };
  const result = (await generator.act(request)) as LoadResult;
  const { cpuMicros, rssBytes } = await subject.usage();
  return { ...result, cpuMicrosEach: cpuMicros / result.requests, rssMb: rssBytes / 1_048_576 };
}
