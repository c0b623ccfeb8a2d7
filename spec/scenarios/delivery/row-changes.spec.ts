import { createJobs } from '@svc/jobs';
import { runNow } from '@svc/testkit/runs/subscribe.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { encryptionKey, type RunningService } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { watchTable } from '../support/past-runs.ts';
import { scenario } from '../support/scenario.ts';
import { jsonOf } from '../support/send-once.ts';

const subscriptions = '/svc/api/subscriptions';
const newAndGone = {
  createTasks: false,
  notificationTrigger: 'OnRowChange',
  rowMemory: { keyColumns: ['id'], changes: ['New', 'Vanished'] },
};

/** Triggers one run of a subscription's schedule and waits for its end. Returns its status. */
async function tick({ database }: RunningService, id: number): Promise<string> {
  const runs = async () =>
    (await database.query('select status from svc.runs where subscription_id = $1 order by id', [id])).rows;
  const before = (await runs()).length;
  const jobs = createJobs({ pool: database });
  await jobs.schedules.trigger(jobs.executor, `subscription:${id}`);
  return until('a run of the schedule', async () => {
    const status = (await runs())[before]?.status;
    return status === undefined || status === 'Created' ? undefined : status;
  });
}

scenario(
  ['RT-4.3-445', 'RT-4.3-446', 'RT-4.3-447', 'RT-4.3-448'],
  'a first run stores rows and sends none, later runs report new and gone rows once, and no cell is stored',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, sink, svc } = fixture;
    const { id } = await watchTable(fixture, newAndGone);
    const put = async (...ids: readonly number[]) => {
      await fixture.source.sql('truncate alarms');
      await fixture.source.sql('insert into alarms select unnest($1::int[])', [ids]);
    };
    const statuses: string[] = [];
    for (const ids of [
      [741_001, 741_002],
      [741_001, 741_002, 741_003, 741_004],
      [741_001, 741_002, 741_003, 741_004],
      [741_002, 741_003, 741_004, 741_005],
    ]) {
      await put(...ids);
      statuses.push(await tick(svc, id));
    }
    expect(statuses).toEqual(['Silenced', 'Sent', 'Silenced', 'Sent']);
    const bodies = () => sink.received.filter(({ path }) => path === '/webhook').map(jsonOf);
    expect(bodies().map(({ records }) => records)).toEqual([
      [
        { id: 741_003, change: 'New' },
        { id: 741_004, change: 'New' },
      ],
      [{ id: 741_005, change: 'New' }],
    ]);
    expect(bodies().map(({ rowChanges }) => rowChanges)).toEqual([
      { new: 2, vanished: 0 },
      { new: 1, vanished: 1 },
    ]);

    const { rows: tables } = await svc.database.query(
      `select table_name as name from information_schema.tables where table_schema = 'svc' and table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables) {
      const { rows } = await svc.database.query(
        `select count(*)::int as found from svc."${name}" t where t::text like '%74100%'`,
      );
      expect([name, rows[0].found]).toEqual([name, 0]);
    }

    expect((await root.post(`${subscriptions}/${id}/row-memory-reset`)).status).toBe(204);
    await put(741_006);
    expect(await tick(svc, id)).toBe('Silenced');
    expect(await runNow(root, id)).toMatchObject({ status: 'Silenced' });
    await put(741_006, 741_007);
    expect(await tick(svc, id)).toBe('Sent');
    expect(bodies().at(-1)).toMatchObject({ records: [{ id: 741_007, change: 'New' }] });
  },
);

scenario(
  ['RT-4.3-1441', 'RT-4.3-1442'],
  'a first test run stores the baseline, and later test runs report new rows without storing them',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, sink, svc } = fixture;
    const { id, fill } = await watchTable(fixture, newAndGone);
    const stored = async () =>
      (await root.get(`${subscriptions}/${id}`)).body.rememberedRows as { rowCount: number } | null;
    await fill(2);
    expect(await runNow(root, id)).toMatchObject({ status: 'Silenced' });
    expect(await stored()).toMatchObject({ rowCount: 2 });
    await fill(3);
    const before = await stored();
    for (let time = 0; time < 2; time += 1) expect(await runNow(root, id)).toMatchObject({ status: 'Sent' });
    expect(await stored()).toEqual(before);
    expect(await tick(svc, id)).toBe('Sent');
    expect(await stored()).toMatchObject({ rowCount: 3 });
    expect(await runNow(root, id)).toMatchObject({ status: 'Silenced' });
    const bodies = sink.received.map(jsonOf);
    expect(bodies.map(({ records }) => records)).toEqual(
      Array.from({ length: 3 }, () => [{ id: 3, change: 'New' }]),
    );
  },
);

scenario(
  ['RT-4.3-449'],
  'rows that were stored under an earlier encryption key are recognised under the next one',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:Jobs:Workers': 0 });
    const { id, fill } = await watchTable(fixture, newAndGone);
    const under = async (
      config: Readonly<Record<string, unknown>>,
      work: (svc: RunningService) => unknown,
    ) => {
      const process = await fixture.svc.replica({ 'Svc:Jobs:Workers': 4, ...config });
      await work(process);
      await process.close();
    };
    await fill(3);
    await under({}, async (svc) => expect(await tick(svc, id)).toBe('Silenced'));
    const keys = {
      'Svc:EncryptionKey': 'the-next-encryption-key-of-the-tests-0123456789',
      'Svc:PreviousEncryptionKeys': [encryptionKey],
    };
    await fill(4);
    await under(keys, async (svc) => {
      expect(await svc.rotateSecrets()).toMatchObject({ isComplete: false, remembered: [id] });
      expect(await tick(svc, id)).toBe('Sent');
      expect(await tick(svc, id)).toBe('Silenced');
      expect(await svc.rotateSecrets()).toMatchObject({ isComplete: true, remembered: [] });
    });
    const bodies = fixture.sink.received.map(jsonOf);
    expect(bodies.map(({ records }) => records)).toEqual([[{ id: 4, change: 'New' }]]);
    await fill(5);
    await under({ 'Svc:EncryptionKey': keys['Svc:EncryptionKey'] }, async (svc) =>
      expect(await tick(svc, id)).toBe('Sent'),
    );
    expect(jsonOf(fixture.sink.received.at(-1) as (typeof fixture.sink.received)[number])).toMatchObject({
      records: [{ id: 5, change: 'New' }],
    });
  },
);
