import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../platform/db/index.ts';
import { subscriptionGauges } from './gauges.ts';

let fixture: RunFixture;
/** A full minute as the base of all times in this file, regardless of the duration of the tests. */
let base: Date;
beforeAll(async () => {
  // No worker and no watchdog: only the computation at the time of reading can detect missing starts.
  fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 } });
  base = (await sql(`select date_trunc('minute', now()) as base`)).rows[0].base;
});
afterAll(() => fixture.close());

const sql = (statement: string, values: unknown[] = []) => fixture.svc.database.query(statement, values);
const everyMinute = '* * * * *';
const slotOf = (minutes: number) => new Date(base.getTime() - minutes * 60_000);
const minutesAgo = (minutes: number) => `'${slotOf(minutes).toISOString()}'::timestamptz`;

const healthOf = async (kind: string, id: number): Promise<string> => {
  const { body } = await fixture.root.get(`/svc/api/control-tower/health?kind=${kind}&pageSize=200`);
  return body.items.find((entry: { id: number }) => entry.id === id)?.health;
};
const overdueSeconds = async (): Promise<number> => {
  const [gauge] = subscriptionGauges(createDatabase(fixture.svc.database), {
    graceSeconds: 300,
    hasSubscriptions: false,
    retainedDays: { runs: 400, evaluations: 400 },
  });
  return (await gauge?.read())?.[0]?.value ?? Number.NaN;
};
/** Expects the gauge to count from a slot. The read happened between the two moments around it. */
async function expectOverdueSince(slot: Date): Promise<void> {
  const moment = async () =>
    Number((await sql('select extract(epoch from clock_timestamp())::float8 as at')).rows[0].at);
  const before = await moment();
  const seconds = await overdueSeconds();
  const after = await moment();
  const since = slot.getTime() / 1_000;
  expect([since >= before - seconds - 0.01, since <= after - seconds + 0.01]).toEqual([true, true]);
}

/** Creates a subscription that is due every minute and was created that many minutes ago. */
async function addFrequent(createdMinutesAgo: number): Promise<number> {
  const queryId = await fixture.addQuery('select 1 as one');
  const recipientIds = [await fixture.addRecipient()];
  const { id } = await fixture.addSubscription({ queryId, recipientIds, cronExpression: everyMinute });
  await sql(`update svc.subscriptions set created_time = ${minutesAgo(createdMinutesAgo)} where id = $1`, [
    id,
  ]);
  return id;
}
const startRun = (id: number, dueMinutesAgo: number, more: { finishedAt?: string; jobId?: string } = {}) =>
  sql(
    `insert into svc.runs (subscription_id, query_id, project_id, origin, due_at, started_at, finished_at, status, job_id)
     select s.id, s.query_id, $2, 'Schedule', ${minutesAgo(dueMinutesAgo)}, ${minutesAgo(dueMinutesAgo)},
       ${more.finishedAt ?? minutesAgo(dueMinutesAgo)}, 'Sent', $3 from svc.subscriptions s where s.id = $1`,
    [id, fixture.projectId, more.jobId ?? null],
  );

test('a frequent subscription whose workers died is Stalled, regardless of the state of the watchdog', async () => {
  const id = await addFrequent(120);
  for (const minutes of [62, 61, 60]) await startRun(id, minutes);
  for (const watchDueAt of [minutesAgo(63), minutesAgo(-60), `'infinity'`, 'null']) {
    await sql(`update svc.subscriptions set watch_due_at = ${watchDueAt} where id = $1`, [id]);
    expect([watchDueAt, await healthOf('Subscription', id)]).toEqual([watchDueAt, 'Stalled']);
  }
  await expectOverdueSince(slotOf(59));
  await sql('update svc.subscriptions set archived_at = now() where id = $1', [id]);
  expect(await overdueSeconds()).toBe(0);
});

test('a subscription that never started is overdue since its first slot after creation, and is New within the grace period', async () => {
  const [old, young] = [await addFrequent(30), await addFrequent(0)];
  expect(await healthOf('Subscription', old)).toBe('Stalled');
  expect(await healthOf('Subscription', young)).toBe('New');
  await expectOverdueSince(slotOf(29));
  await sql('update svc.subscriptions set archived_at = now() where id = any($1)', [[old, young]]);
});

test('a paused subscription is not Stalled, and after its resumption only later slots count', async () => {
  const id = await addFrequent(120);
  await startRun(id, 60);
  await fixture.root.post(`/svc/api/subscriptions/${id}/pause`);
  expect(await healthOf('Subscription', id)).not.toBe('Stalled');
  expect(await overdueSeconds()).toBe(0);
  await fixture.root.post(`/svc/api/subscriptions/${id}/resume`);
  expect(await healthOf('Subscription', id)).not.toBe('Stalled');
  await sql(`update svc.subscriptions set schedule_changed_at = ${minutesAgo(20)} where id = $1`, [id]);
  expect(await healthOf('Subscription', id)).toBe('Stalled');
  await expectOverdueSince(slotOf(19));
  await fixture.root.delete(`/svc/api/subscriptions/${id}`);
  await fixture.root.post(`/svc/api/subscriptions/${id}/reactivate`);
  expect(await healthOf('Subscription', id)).not.toBe('Stalled');
  await sql('update svc.subscriptions set archived_at = now() where id = $1', [id]);
});

test('a run that outlasts its slots is not Stalled while its lease is valid, and is Stalled after its worker died', async () => {
  const id = await addFrequent(120);
  const jobId = '00000000-0000-4000-8000-000000000042';
  await sql(
    `insert into svc_jobs.job (id, trace_id, created_at, due_at, state, name, queue, lease_until)
     values ($1, $1, now(), now(), 'Processing', 'run-subscription', 'runs', now() + interval '1 hour')`,
    [jobId],
  );
  await startRun(id, 60, { finishedAt: 'null', jobId });
  expect(await healthOf('Subscription', id)).not.toBe('Stalled');
  await sql(`update svc_jobs.job set lease_until = now() - interval '1 second' where id = $1`, [jobId]);
  expect(await healthOf('Subscription', id)).toBe('Stalled');
  await sql('delete from svc_jobs.job where id = $1', [jobId]);
  await sql('update svc.subscriptions set archived_at = now() where id = $1', [id]);
});

test('a frequent contract whose workers died is Stalled, regardless of the state of the watchdog', async () => {
  await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`);
  const body = {
    projectId: fixture.projectId,
    dataSourceId: fixture.sourceId,
    schemaName: 'public',
    tableName: 'orders',
    name: 'Orders',
    cronExpression: '*/5 * * * *',
    timeZone: 'UTC',
    rules: [{ name: 'Some', type: 'Volume', config: { minRows: 1 } }],
  };
  const { id } = await fixture.make('/svc/api/data-quality/contracts', body);
  expect(await healthOf('Contract', id)).toBe('New');
  await sql(
    `update svc.data_contracts set created_time = ${minutesAgo(120)}, watch_due_at = ${minutesAgo(-60)}
     where id = $1`,
    [id],
  );
  expect(await healthOf('Contract', id)).toBe('Stalled');
  await sql(
    `insert into svc.contract_evaluations (contract_id, trigger, status, created_time, started_at, finished_at)
     values ($1, 'Schedule', 'Passed', ${minutesAgo(60)}, ${minutesAgo(60)}, ${minutesAgo(60)})`,
    [id],
  );
  expect(await healthOf('Contract', id)).toBe('Stalled');
  await sql(`update svc.contract_evaluations set finished_at = ${minutesAgo(0)} where contract_id = $1`, [
    id,
  ]);
  expect(await healthOf('Contract', id)).toBe('Healthy');
  await sql(`update svc.contract_evaluations set finished_at = ${minutesAgo(60)} where contract_id = $1`, [
    id,
  ]);
  // A new schedule is judged from the time of the change.
  expect(
    (
      await fixture.root.put(`/svc/api/data-quality/contracts/${id}`, {
        ...body,
        cronExpression: everyMinute,
      })
    ).status,
  ).toBe(200);
  expect(await healthOf('Contract', id)).toBe('Healthy');
});
