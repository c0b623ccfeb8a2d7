import { createJobs } from '@svc/jobs';
import { startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect, test } from 'vitest';
import { startWorker } from '../../../../../tools/test/runs/start-worker.ts';
import { workerValues } from '../../../../../tools/test/runs/worker-values.ts';

/** More than the number of concurrent sends: when the first messages arrive, others have not started. */
const recipientCount = 90;

test('2, 1 and 0 new rows are reported as 2, 1 and 0 even if the process is killed after its decision', async () => {
  const fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 }, sinkAnswersAfterMs: 500 });
  try {
    const { connection } = fixture.svc.testDatabase;
    const settings = { connection, values: workerValues(fixture.sink.settings), leaseMs: 1_500 };
    const recipientIds: number[] = [];
    for (let index = 0; index < recipientCount; index += 1)
      recipientIds.push(await fixture.addRecipient(`/killed/${index}`));
    const queryId = await fixture.addQuery('select id from orders order by id');
    const { id } = await fixture.addSubscription({
      queryId,
      recipientIds,
      notificationTrigger: 'OnRowChange',
      rowMemory: { keyColumns: ['id'] },
    });
    const jobs = createJobs({ pool: fixture.svc.database });
    const runs = async () =>
      (
        await fixture.svc.database.query(
          'select status, reason from svc.runs where subscription_id = $1 order by id',
          [id],
        )
      ).rows;
    const tick = () => jobs.schedules.trigger(jobs.executor, `subscription:${id}`);
    const ended = (count: number) =>
      until(`run ${count} to end`, async () => {
        const run = (await runs())[count - 1];
        return run && run.status !== 'Created' ? run : undefined;
      });
    const bodies = () =>
      fixture.sink.received.map(({ path, text }) => ({ path, ids: JSON.parse(text).records.map(idOf) }));

    const first = await startWorker(settings);
    await tick();
    expect(await ended(1)).toEqual({ status: 'Silenced', reason: 'Baseline' });
    await fixture.shop.query(`insert into orders values (4, 'd@example.org', 4), (5, 'e@example.org', 5)`);
    await tick();
    await until('the first messages', async () => (fixture.sink.received.length >= 20 ? true : undefined));
    await first.kill();
    // The next process would find this row if it executed the query again.
    await fixture.shop.query(`insert into orders values (6, 'f@example.org', 6)`);
    const second = await startWorker(settings);
    await ended(2);
    const messages = bodies();
    expect(messages.filter(({ ids }) => ids.join() !== '4,5')).toEqual([]);
    expect(new Set(messages.map(({ path }) => path)).size).toBe(messages.length);
    await tick();
    expect((await ended(3)).status).toBe('Sent');
    const next = bodies().slice(messages.length);
    expect(next).toHaveLength(recipientCount);
    expect(next.filter(({ ids }) => ids.join() !== '6')).toEqual([]);
    await tick();
    expect(await ended(4)).toEqual({ status: 'Silenced', reason: 'NothingChanged' });
    await second.stop();
  } finally {
    await fixture.close();
  }
}, 240_000);

const idOf = ({ id }: { readonly id: number }): number => id;
