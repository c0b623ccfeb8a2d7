import { createJobs } from '@svc/jobs';
import { startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect, test } from 'vitest';
import { startWorker } from '../../../../../tools/test/runs/start-worker.ts';
import { workerValues } from '../../../../../tools/test/runs/worker-values.ts';

/** More than the number of concurrent sends: when the first messages arrive, others have not started. */
const recipientCount = 150;
const routesMax = 1_000;

test('no recipient gets rows of another recipient, or its own rows twice, if the process is killed during a run', async () => {
  const fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 }, sinkAnswersAfterMs: 500 });
  try {
    const { database, testDatabase } = fixture.svc;
    const settings = {
      connection: testDatabase.connection,
      leaseMs: 1_500,
      values: workerValues(fixture.sink.settings),
    };
    const recipientIds: number[] = [];
    for (let index = 0; index < recipientCount; index += 1)
      recipientIds.push(await fixture.addRecipient(`/of/${index}`));
    await fixture.shop.query(`create table late as
      select n as id, 'owner ' || n % ${routesMax} as owner from generate_series(0, 4999) n`);
    const queryId = await fixture.addQuery('select id, owner from late order by id');
    const routes = Array.from({ length: routesMax }, (_, index) => ({
      value: `owner ${index}`,
      recipientId: recipientIds[index % recipientCount],
    }));
    const { id } = await fixture.addSubscription({
      queryId,
      recipientIds,
      notificationTrigger: 'Always',
      routing: { column: 'owner', routes },
      includeAttachment: true,
      attachmentFormat: 'Csv',
    });
    const jobs = createJobs({ pool: database });
    const first = await startWorker(settings);
    await jobs.schedules.trigger(jobs.executor, `subscription:${id}`);
    await until('the first messages', async () => (fixture.sink.received.length >= 20 ? true : undefined));
    await first.kill();
    expect(fixture.sink.received.length).toBeLessThan(recipientCount);
    // The next process would find these rows if it executed the query again.
    await fixture.shop.query(`update late set owner = 'owner ' || (${routesMax} - 1 - id % ${routesMax})`);
    const second = await startWorker(settings);
    const run = await until('the end of the run', async () => {
      const { rows } = await database.query(
        `select id, status, unrouted_count as unrouted from svc.runs where subscription_id = $1 and status <> 'Created'`,
        [id],
      );
      return rows[0];
    });
    await second.stop();

    const messages = fixture.sink.received.map(({ path, text }) => ({
      recipient: Number(path.slice('/of/'.length)),
      body: JSON.parse(text),
    }));
    expect(new Set(messages.map(({ recipient }) => recipient)).size).toBe(messages.length);
    const ofAnother = messages.flatMap(({ recipient, body }) =>
      body.records.filter((row: { id: number }) => (row.id % routesMax) % recipientCount !== recipient),
    );
    expect(ofAnother).toEqual([]);
    for (const { recipient, body } of messages) {
      const routeCount = routes.filter((_, index) => index % recipientCount === recipient).length;
      expect(body.totalRecords).toBe((5_000 / routesMax) * routeCount);
    }
    const { rows: deliveries } = await database.query(
      'select state, count(*)::int as count from svc.deliveries where run_id = $1 group by state',
      [run.id],
    );
    const countOf = (state: string) => deliveries.find((one) => one.state === state)?.count ?? 0;
    // The outcome of deliveries in progress during the kill is unknown. All others arrived.
    expect(countOf('Sent') + countOf('Unknown')).toBe(recipientCount);
    expect(countOf('Sent')).toBeGreaterThan(recipientCount / 2);
    expect(messages.length).toBeGreaterThanOrEqual(countOf('Sent'));
    expect(run.unrouted).toBe(0);
  } finally {
    await fixture.close();
  }
}, 240_000);
