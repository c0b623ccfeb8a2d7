import path from 'node:path';
import { dropRuns } from '../../packages/server/src/domains/retention/store.ts';
import { createDatabase, openPool } from '../../packages/server/src/platform/db/index.ts';
import type { Bench } from '../run/bench.ts';
import { startBenchDatabase } from '../run/database.ts';
import { addEditor, cookieOf, setupToken } from '../run/people.ts';
import type { Figure } from '../run/result.ts';
import { startSubject } from '../run/subject.ts';
import { fillHistory } from './fill.ts';

/** `SVC_BENCH_RUNS` sets a smaller number of runs for a quick test. */
const size = { runs: Number(process.env['SVC_BENCH_RUNS'] ?? 10_000_000), subscriptions: 10_000, months: 13 };
const turns = 40;
const warmUps = 5;
const listMs = 60;
const deepMs = 100;
const dropMs = 1_000;

/** Measures lists of a long history, deep pages, and dropping a month. */
export const bench: Bench = {
  purpose: `GET /svc/api/notifications over ${size.runs} runs of ${size.subscriptions} subscriptions, and dropping a month`,
  run: async () => {
    const database = await startBenchDatabase();
    const { connection } = database;
    const settings = {
      'Svc:UserManagement:SetupToken': setupToken,
      'Svc:EncryptionKey': 'k'.repeat(32),
      'Svc:Jobs:Workers': 0,
    };
    const service = await startSubject('service', path.join(import.meta.dirname, '../run/service.ts'), {
      connection,
      settings,
    });
    const origin = String(service.ready['origin']);
    const pool = openPool({ connection, statementTimeoutMs: 600_000 });
    try {
      await addEditor(origin, database);
      const oldest = await fillHistory(database, size);
      const callers = { Admin: await cookieOf(origin, 'root'), member: await cookieOf(origin, 'editor') };
      const figures: Figure[] = [];
      for (const [who, cookie] of Object.entries(callers))
        for (const [what, query, valueMax] of cases)
          figures.push(
            await timeOf(`${what}, ${who}`, `${origin}/svc/api/notifications?${query}`, cookie, valueMax),
          );
      const startedAt = performance.now();
      const runs = await createDatabase(pool).transaction((tx) => dropRuns(tx, oldest));
      figures.push(figureOf(`dropping a month of ${runs} runs`, performance.now() - startedAt, dropMs, 1));
      return figures;
    } finally {
      await pool.end();
      await service.stop();
      await database.stop();
    }
  },
};

const cases: readonly (readonly [what: string, query: string, valueMax: number])[] = [
  ['first page', 'pageSize=50', listMs],
  ['page 10,000', 'pageSize=20&page=10000', deepMs],
  ['first page of the failed', 'pageSize=50&status=Failed', listMs],
  ['one subscription', 'pageSize=50&subscriptionId=77', listMs],
  ['search by name', 'pageSize=50&search=part%2077', listMs],
];

async function timeOf(title: string, url: string, cookie: string, valueMax: number): Promise<Figure> {
  const times: number[] = [];
  for (let turn = 0; turn < turns + warmUps; turn += 1) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { cookie } });
    const body = (await response.json()) as { items: readonly unknown[]; totalCount: number };
    if (turn >= warmUps) times.push(performance.now() - startedAt);
    if (response.status !== 200 || body.items.length === 0)
      throw new Error(`${url} answered ${response.status} with ${body.items?.length} rows.`);
  }
  times.sort((a, b) => a - b);
  return figureOf(title, times[Math.floor(times.length / 2)] ?? 0, valueMax, turns);
}

function figureOf(title: string, value: number, valueMax: number, pairs: number): Figure {
  process.stdout.write(`${title.padEnd(44)} ${value.toFixed(1)} ms (at most ${valueMax})\n`);
  return {
    title,
    unit: 'ms',
    against: null,
    values: [value],
    floorValues: [],
    ratios: [],
    target: { valueMax },
    pairs,
  };
}
