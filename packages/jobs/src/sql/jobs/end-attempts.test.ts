import { afterAll, beforeAll, expect, it } from 'vitest';
import { defineJob } from '../../client/declare.ts';
import { createFixture, type Fixture } from '../../testing/fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

it('ended jobs are located by id from the first call of a connection, for any number of waiting jobs', async () => {
  const job = defineJob<number>({ name: 'waiting', parse: Number });
  const jobs = fixture.jobs();
  const items = Array.from({ length: 1_000 }, (_, payload) => ({ payload }));
  for (let at = 0; at < 5; at += 1) await jobs.enqueueMany(jobs.executor, job, items);
  // Statistics of the table before the first claim: hardly any job has a lease.
  await fixture.pool.query('vacuum analyze svc_jobs.job');
  const client = await fixture.pool.connect();
  await client.query('begin');
  const entriesRead = async (): Promise<number> => {
    const { rows } = await client.query(
      "select pg_stat_get_xact_tuples_returned('svc_jobs.job_pkey'::regclass)::integer as entries",
    );
    return rows[0].entries;
  };
  const { rows: claimed } = await client.query(
    "select id, fence from svc_jobs.claim_next('default', '{waiting}', 200, 30000, gen_random_uuid(), null)",
  );
  const before = await entriesRead();
  const { rows: ended } = await client.query(
    'select completed from svc_jobs.complete_attempts($1::uuid[], $2::integer[], $3::integer[], 1000, null)',
    [claimed.map((row) => row.id), claimed.map((row) => row.fence), claimed.map(() => 1)],
  );
  const read = (await entriesRead()) - before;
  await client.query('rollback');
  client.release();
  expect(ended).toEqual([{ completed: 200 }]);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThanOrEqual(400);
});
