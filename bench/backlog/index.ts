import pg from 'pg';
import { createEngineDb } from '../../packages/jobs/src/client/executor.ts';
import { createJobs, defineJob, migrateJobs } from '../../packages/jobs/src/index.ts';
import { claimJobs } from '../../packages/jobs/src/sql/jobs/claim-jobs.ts';
import { endAttempts } from '../../packages/jobs/src/sql/jobs/end-attempts.ts';
import { createSql } from '../../packages/jobs/src/sql/statement.ts';
import type { Bench } from '../run/bench.ts';
import { startBenchDatabase } from '../run/database.ts';
import { printCase } from '../run/report.ts';
import { inTurns, median } from '../run/rounds.ts';

const waiting = 100_000;
const kept = 1_000_000;
const claimed = 50;
const claimsEachRound = 20;
const workerId = '00000000-0000-7000-8000-000000000001';
const retention = { completedMs: 86_400_000, cancelledMs: null, failedMs: null };

const job = defineJob<number>({ name: 'backlog', parse: Number });

/** Creates a schema with the given numbers of waiting jobs and of retained completed jobs. */
async function prepare(pool: pg.Pool, schema: string, jobs: { waiting: number; kept: number }) {
  const client = await pool.connect();
  await migrateJobs(client, { schema });
  client.release();
  // Rows of completed jobs. Their ids sort by time, as the library's ids do.
  await pool.query(
    `insert into ${schema}.job (id, trace_id, created_at, due_at, started_at, finished_at, expire_at, state, fence,
       attempt, name, queue, payload)
     select d.id, d.id, d.t, d.t, d.t, d.t, now() + interval '1 day', 'Completed', 1, 1, 'backlog', 'default', '1'
     from generate_series(1, $1::integer) n
     cross join lateral (select now() - interval '1 day' + n * interval '10 milliseconds' as t) m
     cross join lateral (select (lpad(to_hex((extract(epoch from m.t) * 1000)::bigint), 12, '0') || '7000'
       || '8000' || lpad(to_hex(n), 12, '0'))::uuid as id, m.t) d`,
    [jobs.kept],
  );
  const publisher = createJobs({ pool, schema });
  for (let count = 0; count < jobs.waiting; count += 1_000) {
    const items = Array.from({ length: 1_000 }, (_, at) => ({ payload: at }));
    await publisher.enqueueMany(publisher.executor, job, items);
  }
  await pool.query(`vacuum analyze ${schema}.job`);
  const sql = createSql(createEngineDb(pool), schema, () => null);
  return {
    measure: async () => {
      const claimMs: number[] = [];
      const endMs: number[] = [];
      for (let at = 0; at < claimsEachRound; at += 1) {
        const beganMs = performance.now();
        const rows = await claimJobs(sql, {
          queue: 'default',
          names: [job.name],
          count: claimed,
          leaseMs: 30_000,
          workerId,
        });
        const claimedMs = performance.now();
        await endAttempts(
          sql,
          rows.map(({ id, fence }) => ({
            id,
            fence,
            state: 'Completed',
            durationMs: 1,
            delayMs: null,
            error: null,
          })),
          retention,
        );
        claimMs.push(claimedMs - beganMs);
        endMs.push(performance.now() - claimedMs);
        if (rows.length !== claimed) throw new Error(`${rows.length} jobs were claimed, not ${claimed}.`);
      }
      return { claimMs: median(claimMs), endMs: median(endMs) };
    },
  };
}

/** Measures whether a claim becomes slower with waiting and retained jobs. */
export const bench: Bench = {
  purpose: `claims of ${claimed} jobs with ${waiting} waiting and ${kept} kept, against an almost empty table`,
  run: async ({ rounds }) => {
    const database = await startBenchDatabase();
    const pool = new pg.Pool({ ...database.connection, max: 1 });
    try {
      const needed = (rounds + 1) * claimsEachRound * claimed;
      const small = await prepare(pool, 'small', { waiting: Math.ceil(needed / 1_000) * 1_000, kept: 0 });
      const large = await prepare(pool, 'large', { waiting: waiting + needed, kept });
      const turns = await inTurns(
        [
          { name: 'almost empty', measure: small.measure },
          { name: 'full', measure: large.measure },
        ],
        rounds,
      );
      return ['claimMs', 'endMs'].flatMap((number) => {
        const title = number === 'claimMs' ? 'claim' : 'record their ends';
        return printCase(title, turns, 'almost empty', [{ title: 'ms', number, digits: 2 }], {
          number,
          isMoreBetter: false,
          target: 0.9,
        });
      });
    } finally {
      await pool.end();
      await database.stop();
    }
  },
};
