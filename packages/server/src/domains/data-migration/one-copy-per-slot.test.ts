import { yearly } from '@svc/testkit/runs/subscribe.ts';
import { endOfJob, fireTick, linesOf, loseSessionOnce, requeueToItsEnd } from '@svc/testkit/runs/ticks.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MigrationFixture, startMigrationFixture } from './testing/fixture.ts';

let fixture: MigrationFixture;
beforeAll(async () => {
  fixture = await startMigrationFixture();
});
afterAll(() => fixture.close());

beforeEach(async () => {
  const table = 'drop table if exists orders; create table orders (id int)';
  await fixture.destination.sql(table);
  await fixture.source.sql(`${table}; insert into orders select * from generate_series(1, 10)`);
});

const sql = async (statement: string, values: unknown[] = []) =>
  (await fixture.svc.database.query(statement, values)).rows;
/** Inserts without a key, so that a second copy would double the rows. */
const scheduled = () => fixture.addJob({ mode: 'Insert', cronExpression: yearly, timeZone: 'UTC' });
const tick = (id: number) => fireTick(fixture.svc.database, `migration:${id}`);
const copiesOf = (id: number) =>
  sql(
    `select id::int, status, created_time as "slotAt" from svc.migration_executions where migration_job_id = $1`,
    [id],
  );
const settled = (id: number) =>
  until('the end of the copy', async () => {
    const copies = await copiesOf(id);
    return copies.length > 0 && copies.every(({ status }) => !['Queued', 'Running'].includes(status))
      ? true
      : undefined;
  });
const rowCount = async () => (await fixture.rows('select count(*)::int as n from orders'))[0];

test('a tick that loses its database session and is retried makes one copy of its slot', async () => {
  const id = await scheduled();
  await loseSessionOnce(fixture.svc.database, {
    table: 'svc.migration_executions',
    event: 'insert',
    when: 'true',
  });
  const { slotAt, jobId } = await tick(id);
  expect(await endOfJob(fixture.svc.database, jobId)).toEqual({ state: 'Completed', attempt: 2 });
  await settled(id);
  expect(await copiesOf(id)).toEqual([{ id: expect.any(Number), status: 'Completed', slotAt }]);
  expect(await rowCount()).toEqual({ n: 10 });
});

test('a tick that is requeued manually makes no second copy, and its log states that', async () => {
  const id = await scheduled();
  const { slotAt, jobId } = await tick(id);
  await endOfJob(fixture.svc.database, jobId);
  await settled(id);
  const [copy] = await copiesOf(id);
  expect(await requeueToItsEnd(fixture.svc.database, jobId)).toEqual([
    `The copy of ${slotAt.toISOString()} (${copy.id}) has ended as Completed. No second copy is started.`,
  ]);
  expect(await copiesOf(id)).toEqual([copy]);
  expect(await rowCount()).toEqual({ n: 10 });
});

test('a tick that is requeued manually continues the copy of its slot if that copy has not ended', async () => {
  const id = await scheduled();
  const { slotAt, jobId } = await tick(id);
  await endOfJob(fixture.svc.database, jobId);
  await settled(id);
  const [copy] = await copiesOf(id);
  await until('the end of the copy’s job', async () => {
    const jobs = await sql(
      `select from svc_jobs.job j join svc.migration_executions e on e.job_id = j.id
        where e.id = $1 and j.state = 'Completed'`,
      [copy.id],
    );
    return jobs.length > 0 ? true : undefined;
  });
  await fixture.destination.sql('truncate orders');
  // The state after a process whose job failed before it copied.
  await sql(
    "update svc.migration_executions set status = 'Running', stage = 'Validating', finished_at = null where id = $1",
    [copy.id],
  );
  expect(await requeueToItsEnd(fixture.svc.database, jobId)).toEqual([]);
  await settled(id);
  expect(await copiesOf(id)).toEqual([{ id: copy.id, status: 'Completed', slotAt }]);
  expect(await rowCount()).toEqual({ n: 10 });
});

test('a tick while another copy is open starts no copy, and its log states that', async () => {
  const id = await scheduled();
  const first = await tick(id);
  await endOfJob(fixture.svc.database, first.jobId);
  await settled(id);
  await sql(
    "update svc.migration_executions set status = 'Queued', finished_at = null where migration_job_id = $1",
    [id],
  );
  const { jobId } = await tick(id);
  await endOfJob(fixture.svc.database, jobId);
  expect(await linesOf(fixture.svc.database, jobId)).toEqual([
    'Another copy of the migration job is open. No copy is started.',
  ]);
  expect(await copiesOf(id)).toHaveLength(1);
});
