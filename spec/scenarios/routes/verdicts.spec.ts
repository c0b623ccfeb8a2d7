import { createJobs } from '@svc/jobs';
import { evaluateNow } from '@svc/testkit/runs/evaluate.ts';
import { addRecipient, runNow } from '@svc/testkit/runs/subscribe.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import { addPastRuns, watchTable } from '../support/past-runs.ts';
import { scenario } from '../support/scenario.ts';

const contracts = '/svc/api/data-quality/contracts';

type Counted = { readonly runs: number; readonly failed: number };

/** Returns the sums of the runs of all hours or days. */
const sumOf = (parts: readonly Counted[]): Counted => ({
  runs: parts.reduce((sum, { runs }) => sum + runs, 0),
  failed: parts.reduce((sum, { failed }) => sum + failed, 0),
});

scenario(
  ['RT-4.3-83', 'RT-4.3-1431'],
  'trends, activity and the share of runs on time count runs: one failure in twenty is 95 %',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { id } = await watchTable(fixture);
    const good = Array.from({ length: 19 }, () => 1);
    await addPastRuns(fixture, id, good);
    await addPastRuns(fixture, id, [1], 'Failed');
    const read = async (name: string) => (await fixture.root.get(`/svc/api/home/${name}`)).body;
    const uptime = await read('uptime');
    expect(uptime.uptime).toBeCloseTo(0.95);
    expect(uptime.hours).toHaveLength(24);
    expect(sumOf(uptime.hours)).toEqual({ runs: 20, failed: 1 });
    const trends = await read('trends');
    expect(trends.total).toMatchObject({ runs: 20, sent: 19, failed: 1 });
    expect(sumOf(trends.days)).toEqual({ runs: 20, failed: 1 });
    const { items } = await read('activity?pageSize=100');
    const kinds: string[] = items.map(({ kind }: { kind: string }) => kind);
    expect(kinds.filter((kind) => kind === 'RunSent')).toHaveLength(19);
    expect(kinds.filter((kind) => kind === 'RunFailed')).toHaveLength(1);
  },
);

scenario(
  ['RT-4.3-1432', 'RT-4.3-1433', 'RT-4.3-1436'],
  'a failed contract reports its rules, the violations of each rule, and the condition that failed it',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, svc, source, sink, projectId, dataSourceId } = fixture;
    await source.sql(`create table orders (id int, status text, total int);
      insert into orders select g, null, -1 from generate_series(1, 60) g;
      insert into orders select g, 'open', -1 from generate_series(61, 63) g`);
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
    const recipientId = await addRecipient(root, {
      notificationType: 'Webhook',
      destination: sink.urlOf('/contract'),
    });
    const made = await root.post(contracts, {
      projectId,
      dataSourceId,
      schemaName: 'public',
      tableName: 'orders',
      name: 'Orders',
      failsOn: 'Score',
      failScore: 1,
      warnScore: 2,
      recipientIds: [recipientId],
      rules: [
        { name: 'Status', type: 'NullRate', columns: ['status'], severity: 'Critical' },
        { name: 'Total', type: 'Range', columns: ['total'], config: { min: 0 }, severity: 'Low' },
        { name: 'Key', type: 'Uniqueness', columns: ['id'], severity: 'Critical', weight: 10 },
      ],
    });
    expect(made.status, made.text).toBe(201);
    expect(await evaluateNow(root, made.body.id)).toMatchObject({
      status: 'Failed',
      failedBecause: 'CriticalRuleFailed',
    });
    const jobs = createJobs({ pool: svc.database });
    await jobs.schedules.trigger(jobs.executor, `contract:${made.body.id}`);
    const run = await until('the run of the alert', async () => {
      const { items } = (await root.get(`/svc/api/notifications?contractId=${made.body.id}`)).body;
      return items.find(({ finishedAt }: { finishedAt: string | null }) => finishedAt !== null);
    });
    // The table has 63 rows. 60 of them break both rules.
    expect(run).toMatchObject({ resultCount: 2, violationCount: 60 + 63 });
  },
);

scenario(
  ['RT-4.3-1434'],
  'the timeline of a task shows the user and the note of an acknowledged alert',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root } = fixture;
    const { id, fill } = await watchTable(fixture, { notificationTrigger: 'WhileRows' });
    await fill(2);
    await runNow(root, id);
    const [task] = (await root.get(`/svc/api/tasks?subscriptionId=${id}`)).body.items;
    const path = `/svc/api/subscriptions/${id}/alert-acknowledgement`;
    expect((await root.post(path, { note: 'I restart the loader.' })).status).toBe(204);
    const [newest] = (await root.get(`/svc/api/tasks/${task.id}/events`)).body.items;
    expect(newest).toMatchObject({
      kind: 'Acknowledged',
      content: 'I restart the loader.',
      userName: expect.any(String),
      createdTime: expect.stringMatching(/Z$/),
    });
  },
);

scenario(
  ['RT-4.3-1438'],
  'the rows of a resolved task are those of the last run before its end, not of later runs',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root } = fixture;
    const { id, queryId, fill } = await watchTable(fixture, { storeResults: true });
    const rowsOf = async (taskId: number) =>
      (await root.get(`/svc/api/queries/${queryId}/last-result?taskId=${taskId}`)).body.lastResult?.results
        .rows;
    const open = async () => (await root.get(`/svc/api/tasks?subscriptionId=${id}`)).body.items[0];
    for (const rows of [1, 2]) {
      await fill(rows);
      await runNow(root, id);
    }
    const first = await open();
    expect(await rowsOf(first.id)).toEqual([[1], [2]]);
    await fill(0);
    await runNow(root, id);
    expect(await rowsOf(first.id)).toEqual([[1], [2]]);
    await fill(4);
    await runNow(root, id);
    const second = await open();
    expect(second.id).not.toBe(first.id);
    expect(await rowsOf(second.id)).toHaveLength(4);
    expect((await root.post(`/svc/api/tasks/${second.id}/resolve`, {})).status).toBe(204);
    await fill(3);
    await runNow(root, id);
    expect(await rowsOf(second.id)).toHaveLength(4);
    expect(await rowsOf(first.id)).toEqual([[1], [2]]);
    expect(await rowsOf(2_000_000_000)).toBeUndefined();
  },
);

scenario(
  ['RT-4.3-1437'],
  'an evaluation reports the score below which it failed after the contract has another one',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, source, projectId, dataSourceId } = fixture;
    await source.sql(`create table parcels (id int, weight int);
      insert into parcels select g, case when g < 5 then -1 else g end from generate_series(1, 10) g`);
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
    const rule = { name: 'Weight', type: 'Range', columns: ['weight'], config: { min: 0 }, failAbove: 9 };
    const contract = {
      projectId,
      dataSourceId,
      schemaName: 'public',
      tableName: 'parcels',
      name: 'Parcels',
      warnScore: 90,
      failScore: 90,
      rules: [rule],
    };
    const made = await root.post(contracts, contract);
    expect(made.status, made.text).toBe(201);
    const ended = await evaluateNow(root, made.body.id);
    expect(ended).toMatchObject({ failedBecause: 'ScoreTooLow', score: 60, failScore: 90 });
    const path = `${contracts}/${made.body.id}`;
    const changed = await root.put(path, { ...contract, failScore: 50 });
    expect(changed.status, changed.text).toBe(200);
    expect((await root.get(`${path}/evaluations/${ended.id}`)).body).toMatchObject({ failScore: 90 });
    expect(await evaluateNow(root, made.body.id)).toMatchObject({ status: 'Warned', failScore: 50 });
  },
);
