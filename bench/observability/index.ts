import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrateJobs } from '../../packages/jobs/src/index.ts';
import type { Bench } from '../run/bench.ts';
import { startBenchDatabase } from '../run/database.ts';
import type { Load, LoadResult } from '../run/http-load.ts';
import { type Comparison, printPairs, rounded } from '../run/report.ts';
import type { Figure } from '../run/result.ts';
import { inPairs, overProcesses, type Pairs } from '../run/rounds.ts';
import { type Subject, startSubject } from '../run/subject.ts';
import type { HostConfig } from './host.ts';

const folder = import.meta.dirname;
const connections = 16;
/** The kind of host that stores a row for every call. */
const storesRows = 'rows';
/** Pause in ms after a turn, so that rows of the last second are not stored in another host's turn. */
const restMs = 1_200;
/** Turns per round for hosts that store no rows: many short turns give more precise medians than few long ones. */
const shortTurns = 10;
/** Processes per round for figures with a target: the speed of the same code differs by a tenth between processes. */
const processesOfTargets = 2;
/** Warm-up in ms, so that frequently used code is compiled. */
const warmMs = 1_500;

const columns = [
  { title: 'requests/s', number: 'perSecond', digits: 0 },
  { title: 'ms median', number: 'medianMs', digits: 2 },
  { title: 'ms p99', number: 'p99Ms', digits: 2 },
  { title: 'µs CPU', number: 'cpuMicrosEach', digits: 1 },
  { title: 'MB', number: 'rssMb', digits: 0 },
];

type Times = { readonly turnMs: number; readonly pairCount: number; readonly processCount: number };
type Starts = readonly [floor: () => Promise<Subject>, contender: () => Promise<Subject>];

/** Compares two hosts, with new processes each time. */
async function compareHosts(generator: Subject, starts: Starts, times: Times) {
  const measured = (subject: Subject) => ({
    name: subject.name,
    measure: async () => {
      const numbers = await loadOf(subject, generator, times.turnMs);
      if (subject.name === storesRows) await sleep(restMs);
      return numbers;
    },
  });
  const all: Pairs[] = [];
  let names = { floor: '', contender: '' };
  let dropped = 0;
  for (let at = 0; at < times.processCount; at += 1) {
    const [floor, contender] = [await starts[0](), await starts[1]()];
    names = { floor: floor.name, contender: contender.name };
    for (const subject of [floor, contender]) await loadOf(subject, generator, warmMs);
    all.push(await inPairs(measured(floor), measured(contender), times.pairCount));
    dropped += ((await contender.act({})) as { dropped: number }).dropped;
    await Promise.all([floor.stop(), contender.stop()]);
  }
  return { names, dropped, pairs: overProcesses(all) };
}

/** Creates the tables of the job library. */
async function migrate(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await migrateJobs(client);
  await client.end();
}

const rate = { number: 'perSecond', isMoreBetter: true };
const latencies: readonly Comparison[] = ['medianMs', 'p99Ms'].map((number) => ({
  number,
  isMoreBetter: false,
  target: 0.95,
}));

/** Measures the cost of observing an endpoint, with the database available and unavailable. */
export const bench: Bench = {
  purpose:
    'an endpoint of a Fastify host at 16 connections, observed by the job library, prom-client and OpenTelemetry, against no observer',
  run: async ({ rounds, roundMs }) => {
    const database = await startBenchDatabase();
    const { connection } = database;
    await migrate(connection);
    // No server listens on this port.
    const away = { ...connection, host: '127.0.0.1', port: 1 };
    const start = (kind: HostConfig['kind'], to: pg.ClientConfig = connection, name: string = kind) =>
      startSubject(name, path.join(folder, 'host.ts'), { kind, connection: to } satisfies HostConfig);
    const generator = await startSubject('generator', path.join(folder, '../run/http-load.ts'), {});
    const figures: Figure[] = [];
    const compare = async (
      title: string,
      starts: Starts,
      comparisons: readonly Comparison[],
      times: Times,
    ) => {
      const { names, dropped, pairs } = await compareHosts(generator, starts, times);
      for (const comparison of comparisons)
        figures.push(printPairs(title, names, pairs, columns, comparison));
      return { dropped, pairs };
    };
    const bare = () => start('bare');
    const rows = () => start(storesRows);
    try {
      const short = { turnMs: roundMs / shortTurns, pairCount: shortTurns, processCount: rounds };
      const long = { turnMs: roundMs, pairCount: 2, processCount: rounds };
      const processCount = rounds * processesOfTargets;
      const counters: Comparison = { ...rate, target: 0.9 };
      const counted = () => start('aggregates');
      const ofCounters = await compare('counters', [bare, counted], [counters], {
        ...short,
        processCount,
      });
      figures.push(moreMemory('counters', ofCounters.pairs));
      const stored: Comparison = { ...rate, target: 0.75 };
      const ofRows = await compare('a row per call', [bare, rows], [stored], {
        ...long,
        processCount,
      });
      figures.push(moreMemory('a row per call', ofRows.pairs));
      for (const kind of ['library', 'prom-client', 'opentelemetry'] as const) {
        await compare(kind, [bare, () => start(kind)], [rate], short);
      }
      const rowsAway = () => start(storesRows, away, 'rows, database away');
      const { dropped } = await compare('the database is unavailable', [rows, rowsAway], latencies, {
        ...long,
        processCount,
      });
      process.stdout.write(`\nRows dropped while the database was away: ${dropped}\n`);
      return figures;
    } finally {
      await generator.stop();
      await database.stop();
    }
  },
};

const memoryMbMax = 25;

/** Returns the additional memory of a process, compared with one without observation. */
const moreMemory = (title: string, { contender, floor, count }: Pairs): Figure => ({
  title,
  unit: 'MB more memory',
  against: 'bare',
  values: [rounded((contender['rssMb'] ?? Number.NaN) - (floor['rssMb'] ?? Number.NaN))],
  floorValues: [],
  ratios: [],
  target: { valueMax: memoryMbMax },
  pairs: count,
});

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
