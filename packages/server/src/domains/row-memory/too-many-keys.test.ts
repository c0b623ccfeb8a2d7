import { createJobs } from '@svc/jobs';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const rowsMax = 1_000;
let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Subscriptions:RowMemoryMaxRows': rowsMax } });
  await fixture.shop.query('create table stock (id int)');
});
afterAll(() => fixture.close());

test('a run with more rows than the maximum fails with a message, and does not change the row memory', async () => {
  const fill = (rows: number) =>
    fixture.shop.query(`truncate stock; insert into stock select generate_series(1, ${rows})`);
  const { id } = await fixture.addSubscription({
    queryId: await fixture.addQuery('select id from stock'),
    recipientIds: [await fixture.addRecipient('/many')],
    notificationTrigger: 'OnRowChange',
    rowMemory: { keyColumns: ['id'] },
    includeAttachment: true,
    storeResults: true,
  });
  const jobs = createJobs({ pool: fixture.svc.database });
  const runs = async (): Promise<{ id: number; status: string }[]> =>
    (await fixture.root.get(`/svc/api/notifications?subscriptionId=${id}&sort=id`)).body.items;
  const tick = async () => {
    const before = (await runs()).length;
    await jobs.schedules.trigger(jobs.executor, `subscription:${id}`);
    const run = await until('a run of the schedule', async () => {
      const next = (await runs())[before];
      return next && next.status !== 'Created' ? next : undefined;
    });
    return (await fixture.root.get(`/svc/api/notifications/${run.id}`)).body;
  };
  const rememberedRows = async () =>
    (await fixture.root.get(`/svc/api/subscriptions/${id}`)).body.rememberedRows;

  await fill(rowsMax);
  expect(await tick()).toMatchObject({ status: 'Silenced' });
  const before = await rememberedRows();
  expect(before).toMatchObject({ rowCount: rowsMax });

  await fill(rowsMax + 1);
  expect(await tick()).toMatchObject({
    status: 'Failed',
    deliveries: [],
    results: null,
    comment:
      'The result has more than 1,000 rows to remember. Narrow the query, or raise Svc:Subscriptions:RowMemoryMaxRows.',
  });
  expect(await rememberedRows()).toEqual(before);
  expect(fixture.sink.received).toEqual([]);
  const { rows } = await fixture.svc.database.query(
    `select (select count(*) from svc.run_attachments)::int as files, (select count(*) from svc.row_memory_staged)::int as staged`,
  );
  expect(rows).toEqual([{ files: 0, staged: 0 }]);
  const { items } = (await fixture.root.get('/svc/api/notices')).body;
  expect(items).toMatchObject([{ kind: 'RunFailed' }]);
  expect(items[0].text).toContain('Svc:Subscriptions:RowMemoryMaxRows');

  const preview = await fixture.root.post(`/svc/api/subscriptions/${id}/message-preview`, {
    source: 'DryRun',
  });
  expect([preview.status, preview.body.code]).toEqual([409, 'query-cannot-run']);

  await fill(rowsMax - 1);
  await fixture.shop.query('insert into stock values (5000)');
  expect(await tick()).toMatchObject({ status: 'Sent' });
  expect(JSON.parse(fixture.sink.received[0]?.text ?? '{}').records).toMatchObject([{ id: 5000 }]);
});
