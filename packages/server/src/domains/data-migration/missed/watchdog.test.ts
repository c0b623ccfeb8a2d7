import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../../platform/db/index.ts';
import type { TellResponsible } from '../../notices/index.ts';
import { type MigrationFixture, migrations, startMigrationFixture } from '../testing/fixture.ts';
import { createMissedCopies, type MissedCopies } from './watchdog.ts';

let fixture: MigrationFixture;
let missed: MissedCopies;
const notices: Parameters<TellResponsible>[1][] = [];
const graceSeconds = 300;
const yearly = '0 0 1 1 *';

beforeAll(async () => {
  // Without workers, no job starts and no other watchdog runs.
  fixture = await startMigrationFixture({ 'Svc:Jobs:Workers': 0 });
  missed = createMissedCopies({
    database: createDatabase(fixture.svc.database),
    log: { warn: () => undefined },
    tellResponsible: async (_tx, notice) => void notices.push(notice),
    graceSeconds,
  });
});
afterAll(() => fixture.close());

const check = () => missed.check(new AbortController().signal);
/** SQL for New Year of this year, or `yearsAgo` years earlier. The schedule fires at no other time. */
const newYear = (yearsAgo: number) =>
  `(make_timestamptz(extract(year from now() at time zone 'UTC')::int - ${yearsAgo}, 1, 1, 0, 0, 0, 'UTC'))`;

/** Creates a job that is watched since a New Year, and deletes earlier notices. */
async function watchedJob(yearsAgo: number, change = {}): Promise<number> {
  const id = await fixture.addJob({ cronExpression: yearly, timeZone: 'UTC', ...change });
  await fixture.svc.sql(`update svc.migration_jobs set watch_due_at = ${newYear(yearsAgo)} where id = $1`, [
    id,
  ]);
  notices.length = 0;
  return id;
}

const copied = (
  id: number,
  trigger: 'Schedule' | 'Manual',
  createdAt: string,
  startedAt: string,
  endedAt: string,
) =>
  fixture.svc.sql(
    `insert into svc.migration_executions (created_time, migration_job_id, status, trigger, definition,
        destination_data_source_id, started_at, finished_at)
      select ${createdAt}, id, 'Completed', $2, '{}', destination_data_source_id, ${startedAt}, ${endedAt}
        from svc.migration_jobs where id = $1`,
    [id, trigger],
  );
const onTime = (id: number, yearsAgo: number, lateSeconds: number) => {
  const due = newYear(yearsAgo);
  const started = `${due} + ${lateSeconds} * interval '1 second'`;
  return copied(id, 'Schedule', due, started, `${started} + interval '1 minute'`);
};

test('missed due times of one outage cause one notice, and a copy that starts in time ends the outage', async () => {
  const id = await watchedJob(5);
  await onTime(id, 4, graceSeconds);
  await check();
  expect(notices).toMatchObject([
    { kind: 'MigrationMissed', subject: { kind: 'MigrationJob', id }, facts: { missedCount: 5 } },
  ]);
  await fixture.svc.sql(`update svc.migration_jobs set watch_due_at = ${newYear(0)} where id = $1`, [id]);
  await check();
  expect(notices).toHaveLength(1);
  expect((await fixture.operator.get(`${migrations}/jobs/${id}`)).body.missed).toMatchObject({ count: 6 });
  await onTime(id, 0, 0);
  await fixture.svc.sql(
    `update svc.migration_jobs set watch_due_at = ${newYear(1)}, missed_last_due_at = ${newYear(3)} where id = $1`,
    [id],
  );
  await onTime(id, 2, 0);
  await check();
  expect(notices).toMatchObject([{ facts: { missedCount: 5 } }, { facts: { missedCount: 1 } }]);
});

test('a copy that starts too late counts as missed, and a due time during an earlier copy does not', async () => {
  const id = await watchedJob(1);
  await onTime(id, 1, graceSeconds + 1);
  await copied(
    id,
    'Manual',
    newYear(0),
    `${newYear(0)} - interval '1 hour'`,
    `${newYear(0)} + interval '1 hour'`,
  );
  await check();
  expect(notices).toMatchObject([{ facts: { missedCount: 1 } }]);
});

test('no due time counts as missed for a disabled, new or changed schedule', async () => {
  await watchedJob(3, { isEnabled: false });
  const changed = await watchedJob(3);
  const { body } = await fixture.operator.get(`${migrations}/jobs/${changed}`);
  expect(body.missed).toBeNull();
  await fixture.operator.put(
    `${migrations}/jobs/${changed}`,
    fixture.definition({ cronExpression: '0 12 2 3 *', timeZone: 'UTC' }),
  );
  await check();
  expect(notices).toEqual([]);
  const [row] = await fixture.svc.sql<{ isAhead: boolean }>(
    'select watch_due_at > now() as "isAhead" from svc.migration_jobs where id = $1',
    [changed],
  );
  expect(row).toEqual({ isAhead: true });
});
