import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { yearly } from '@svc/testkit/runs/subscribe.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../platform/db/index.ts';
import type { TellResponsible } from '../notices/index.ts';
import { createWatchdog, type Watchdog } from './watchdog.ts';

let fixture: RunFixture;
let watchdog: Watchdog;
const told: Parameters<TellResponsible>[1][] = [];
beforeAll(async () => {
  // No worker: nothing starts by itself, and nobody else watches.
  fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 } });
  watchdog = createWatchdog({
    database: createDatabase(fixture.svc.database),
    log: { warn: () => undefined } as never,
    tellResponsible: async (_tx, notice) => void told.push(notice),
    graceSeconds: 300,
  });
});
afterAll(() => fixture.close());

const check = () => watchdog.check(new AbortController().signal);
const sql = async (statement: string, values: unknown[] = []) =>
  (await fixture.svc.database.query(statement, values)).rows;
/** New Year of this year, or of so many years before, as SQL: the schedule below fires then and at no other time. */
const newYear = (yearsAgo: number) =>
  `(make_timestamptz(extract(year from now() at time zone 'UTC')::int - ${yearsAgo}, 1, 1, 0, 0, 0, 'UTC'))`;
const watchFrom = (id: number, yearsAgo: number) =>
  sql(`update svc.subscriptions set watch_due_at = ${newYear(yearsAgo)} where id = $1`, [id]);
const missedOf = async (id: number) =>
  (await fixture.root.get(`/svc/api/subscriptions/${id}`)).body.lastMissed;

async function yearlyOne(): Promise<number> {
  const queryId = await fixture.addQuery('select 1 as one');
  const recipientIds = [await fixture.addRecipient()];
  const { id } = await fixture.addSubscription({ queryId, recipientIds, cronExpression: yearly });
  told.length = 0;
  return id;
}

/** A run of the schedule that started so many seconds after it was due. */
const started = (id: number, yearsAgo: number, lateSeconds: number) =>
  sql(
    `insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, started_at, status, finished_at)
     select s.id, q.id, q.project_id, 'Schedule', ${newYear(yearsAgo)}, ${newYear(yearsAgo)} + $2 * interval '1 second', 'Sent', now()
     from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1`,
    [id, lateSeconds],
  );

test('what was due before a subscription is first looked at is nobody’s promise', async () => {
  const id = await yearlyOne();
  await check();
  expect(await missedOf(id)).toBeNull();
  const [row] = await sql('select watch_due_at > now() as "isAhead" from svc.subscriptions where id = $1', [
    id,
  ]);
  expect(row).toEqual({ isAhead: true });
});

test('due times of one outage share a record and a notice; a run in time ends the outage', async () => {
  const id = await yearlyOne();
  await watchFrom(id, 6);
  await started(id, 6, 10);
  await started(id, 2, 299);
  await check();
  const [first] = await sql(
    'select missed_count as count from svc.missed_runs where subscription_id = $1 order by first_due_at',
    [id],
  );
  // Five, four and three years ago; the two after the run in time are missed as well, and counted with them.
  expect(first).toEqual({ count: 5 });
  expect(told).toMatchObject([
    { kind: 'RunMissed', subject: { kind: 'Subscription', id }, facts: { missedCount: 5 } },
  ]);
  await check();
  expect(told).toHaveLength(1);
});

test('a further due time of the same outage is counted, and told no second time', async () => {
  const id = await yearlyOne();
  await watchFrom(id, 4);
  await sql(
    `insert into svc.missed_runs (subscription_id, first_due_at, last_due_at, missed_count)
     values ($1, ${newYear(6)}, ${newYear(5)}, 2)`,
    [id],
  );
  await check();
  expect(await missedOf(id)).toMatchObject({ missedCount: 7 });
  expect(told).toEqual([]);
});

test('after a run in time a new outage begins', async () => {
  const id = await yearlyOne();
  await sql(
    `insert into svc.missed_runs (subscription_id, first_due_at, last_due_at, missed_count)
     values ($1, ${newYear(6)}, ${newYear(5)}, 2)`,
    [id],
  );
  await started(id, 4, 0);
  await watchFrom(id, 3);
  await check();
  expect(await missedOf(id)).toMatchObject({ missedCount: 4 });
  expect(told).toHaveLength(1);
});

test('a run that started too late counts as missed', async () => {
  const id = await yearlyOne();
  await watchFrom(id, 1);
  await started(id, 1, 301);
  await started(id, 0, 0);
  await check();
  expect(await missedOf(id)).toMatchObject({ missedCount: 1 });
});

test('an archived subscription is not watched', async () => {
  const id = await yearlyOne();
  await watchFrom(id, 3);
  await fixture.root.delete(`/svc/api/subscriptions/${id}`);
  await check();
  expect(await missedOf(id)).toBeNull();
});
