import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

const countRows = async () => (await fixture.rows('select count(*)::int as n from orders'))[0];
const leftovers = () => fixture.rows(`select relname from pg_class where relname like 'svc\\_staging%'`);

/**
 * Creates a copy whose process was killed during the commit: stage `Committing`, with staging tables at the
 * destination. Its job is ready again, as after the sweep of a lost worker.
 */
async function killedWhileCommitting(mark: 'there' | 'gone' | 'none'): Promise<number> {
  const { database } = fixture.svc;
  const id = await fixture.run(await fixture.addJob({ mode: 'Insert' }));
  await fixture.ended(id);
  // The end of the copy is stored before its tables are dropped. Its job ends last.
  await until('the end of the job', async () => {
    const { rows } = await database.query(
      `select from svc_jobs.job j join svc.migration_executions e on e.job_id = j.id
        where e.id = $1 and j.state = 'Completed'`,
      [id],
    );
    return rows.length > 0 ? true : undefined;
  });
  await fixture.destination.sql('truncate orders');
  const { rows } = await database.query<{ name: string }>(
    `update svc.migration_executions set status = 'Running', finished_at = null, has_staging = true where id = $1
      returning 'svc_staging_' || replace(staging_id::text, '-', '') || '_' || take as name`,
    [id],
  );
  const [execution] = rows;
  if (mark !== 'none') await fixture.destination.sql(`create table ${execution?.name}_m as select 1 as id`);
  if (mark === 'gone') await fixture.destination.sql(`delete from ${execution?.name}_m`);
  const { rowCount } = await database.query(
    `update svc_jobs.job set state = 'Enqueued', due_at = now()
      where id = (select job_id from svc.migration_executions where id = $1)`,
    [id],
  );
  expect(rowCount).toBe(1);
  return id;
}

describe('a copy that was killed during its commit', () => {
  test('is completed if it had committed, and no row is copied again', async () => {
    const id = await killedWhileCommitting('gone');
    expect(await fixture.ended(id)).toMatchObject({ status: 'Completed', rowsInserted: 10 });
    expect(await countRows()).toEqual({ n: 0 });
  });

  test('is copied again if it had not committed', async () => {
    const id = await killedWhileCommitting('there');
    expect(await fixture.ended(id)).toMatchObject({ status: 'Completed', rowsInserted: 10 });
    expect(await countRows()).toEqual({ n: 10 });
  });

  test('fails with outcome-unknown if its outcome cannot be determined', async () => {
    const id = await killedWhileCommitting('none');
    expect(await fixture.ended(id)).toMatchObject({ status: 'Failed', reason: 'outcome-unknown' });
    expect(await countRows()).toEqual({ n: 0 });
  });

  test('leaves nothing at the destination after the maintenance job', async () => {
    // Another process runs the maintenance job at its start.
    await fixture.svc.replica();
    await until('the end of what was left', async () => {
      const { rows } = await fixture.svc.database.query(
        'select from svc.migration_executions where has_staging',
      );
      return rows.length === 0 ? true : undefined;
    });
    expect(await leftovers()).toEqual([]);
  });
});
