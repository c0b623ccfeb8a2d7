import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startBuiltInCluster } from '../../packages/server/src/platform/db/built-in/index.ts';
import type { Bench, BenchOptions } from '../run/bench.ts';
import { rounded } from '../run/report.ts';
import type { Figure } from '../run/result.ts';
import type { BenchEngine, OpenEngine } from './engine.ts';
import { openGraphile } from './engine-graphile.ts';
import { openPgBoss } from './engine-pg-boss.ts';
import { openSvc } from './engine-svc.ts';
import { type Measured, measure, measureNames, median } from './measure.ts';

async function open(admin: pg.ClientConfig, name: string, openEngine: OpenEngine): Promise<BenchEngine> {
  const database = `bench_${name}_${Date.now()}`;
  const client = new pg.Client(admin);
  await client.connect();
  await client.query(`create database ${database}`);
  await client.end();
  return openEngine({ ...admin, database });
}

/** Target ratio of each measure to the better of the other engines. */
const target = 1;

function print(results: ReadonlyMap<string, readonly Measured[]>, rounds: number): Figure[] {
  const of = (engine: string, name: keyof Measured) =>
    median((results.get(engine) ?? []).map((round) => round[name]));
  const engines = [...results.keys()];
  console.log(`| median of ${rounds} rounds | ${engines.join(' | ')} | svc to the better other |`);
  console.log(`|---|${engines.map(() => '---|').join('')}---|`);
  return measureNames.map((name) => {
    const values = engines.map((engine) => of(engine, name));
    const others = engines.filter((engine) => engine !== 'svc').map((engine) => of(engine, name));
    const isTime = name.endsWith('ms');
    const own = of('svc', name);
    const better = isTime ? Math.min(...others) : Math.max(...others);
    const ratio = isTime ? better / own : own / better;
    const digits = isTime ? 1 : 0;
    console.log(
      `| ${name} | ${values.map((value) => value.toFixed(digits)).join(' | ')} | ${ratio.toFixed(2)} |`,
    );
    const [title = name, unit = ''] = name.split(/, (?=jobs\/s)|, (?=median ms)/);
    return {
      title,
      unit,
      against: 'the better of pg-boss and graphile-worker',
      values: [rounded(own)],
      floorValues: [rounded(better)],
      ratios: [rounded(ratio)],
      target: { ratioMin: target },
      pairs: rounds,
    };
  });
}

async function run({ rounds }: BenchOptions): Promise<readonly Figure[]> {
  const cluster = await startBuiltInCluster({ dataDirectory: path.join(os.tmpdir(), 'svc-bench-jobs') });
  try {
    const admin = cluster.admin();
    const engines = [
      await open(admin, 'svc', openSvc),
      await open(admin, 'graphile', openGraphile),
      await open(admin, 'boss', openPgBoss),
    ];
    const results = new Map<string, Measured[]>(engines.map((engine) => [engine.name, []]));
    for (let round = 0; round < rounds; round += 1) {
      // Each round starts with another engine.
      for (let at = 0; at < engines.length; at += 1) {
        const engine = engines[(round + at) % engines.length];
        if (engine) results.get(engine.name)?.push(await measure(engine));
      }
    }
    for (const engine of engines) await engine.close();
    return print(results, rounds);
  } finally {
    await cluster.stop();
  }
}

/**
 * Compares this library with pg-boss and graphile-worker on the same durable built-in PostgreSQL, in alternating
 * rounds. Prints medians, and the ratio of our figure to the better of the others. Above 1, ours is better.
 */
export const bench: Bench = {
  purpose: 'enqueue, drain and pick-up of the job library beside pg-boss and graphile-worker on one server',
  run,
};
