import { batchMember, batchMembers, defineJob, type Jobs } from '@svc/jobs';
import { eventually } from '../../../jobs/src/testing/fixture.ts';
import type { JobsDashboardOptions } from '../index.ts';
import { buildPages } from './build-pages.ts';
import { endpointIds, type ObservedHost, type Order, shipOrder, startObservedHost } from './observed.ts';
import { createFixture, type Fixture, type Served, serveDashboard } from './served.ts';

/** Sample data for all pages, and a dashboard for it. */
export type BusyFixture = {
  readonly fixture: Fixture;
  readonly served: Served;
  readonly host: ObservedHost;
  readonly jobs: Jobs;
  /** Ids by purpose. */
  readonly ids: Readonly<
    Record<'failed' | 'shipped' | 'batch' | 'call' | 'trace' | 'running' | 'server', string>
  >;
  readonly close: () => Promise<void>;
};

const parse = (value: unknown) => value as Order;
const bill = defineJob<Order>({ name: 'bill-order', queue: 'billing', parse });
const slow = defineJob<Order>({ name: 'rebuild-index', queue: 'maintenance', parse });
const mail = defineJob<Order>({ name: 'mail-receipt', queue: 'mail', parse });
const report = defineJob<Order>({ name: 'monthly-report', queue: 'maintenance', parse });

/** Creates the fixture: requests that spawn jobs, jobs that spawn jobs, a failure, a batch, schedules, a paused queue. */
export async function startBusyFixture(options: Partial<JobsDashboardOptions> = {}): Promise<BusyFixture> {
  buildPages();
  const fixture = await createFixture();
  const host = await startObservedHost(fixture);
  const jobs = fixture.jobs({
    queues: { shipping: { concurrency: 4 }, billing: { concurrency: 4 }, maintenance: { concurrency: 2 } },
    serverName: 'worker-1',
  });
  jobs.handle(shipOrder, async (order, run) => {
    run.log(`packing order ${order.orderId}`);
    await jobs.enqueue(jobs.executor, bill, order);
    await jobs.enqueue(jobs.executor, mail, order);
  });
  jobs.handle(bill, (order) => {
    if (order.orderId % 5 === 0) throw new Error(`The card of order ${order.orderId} was declined.`);
  });
  jobs.handle(slow, async (_order, run) => {
    run.progress(0.4, 'table 4 of 10');
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }));
    run.signal.throwIfAborted();
  });
  jobs.handle(report, () => undefined);
  await jobs.start();
  const call = (at: string, init: RequestInit = {}) =>
    fetch(host.origin + at, {
      ...init,
      headers: {
        'content-type': 'application/json',
        'x-team': 'web shop',
        'x-user': 'ada',
        authorization: 'Bearer hunter2',
      },
    });
  for (let order = 1; order <= 12; order++) {
    await call('/orders', { method: 'POST', body: JSON.stringify({ orderId: order, password: 'hunter2' }) });
    await call(`/orders/${order}`);
  }
  await call('/fail', { method: 'POST', body: '{"orderId":1,"password":"hunter2"}' });
  const batch = await jobs.createBatch(jobs.executor, {
    name: 'month end',
    members: [batchMembers(report, [{ payload: { orderId: 1 } }, { payload: { orderId: 2 } }])],
    completion: { member: batchMember(report, { orderId: 3 }), when: 'Ended' },
  });
  const running = await jobs.enqueue(jobs.executor, slow, { orderId: 0 });
  await jobs.enqueueMany(
    jobs.executor,
    mail,
    Array.from({ length: 60 }, (_, at) => ({ payload: { orderId: 1_000 + at } })),
    { metadata: { tags: ['newsletter'] } },
  );
  await jobs.enqueue(jobs.executor, mail, { orderId: 9 }, { delayMs: 7_200_000 });
  for (const [key, cron] of [
    ['nightly-report', '30 2 * * 1-5'],
    ['hourly-clean-up', '0 * * * *'],
  ] as const) {
    const payload = { orderId: 0, password: 'hunter2' };
    await jobs.schedules.put(jobs.executor, { key, cron, timeZone: 'Europe/Berlin', job: report, payload });
  }
  await jobs.queues.pause(jobs.executor, 'mail');
  const served = await serveDashboard(fixture, {
    title: 'Order jobs',
    homeUrl: '/',
    sampleEveryMs: 1_000,
    ...options,
  });
  const one = (query: string) =>
    eventually(async () => {
      const { body } = await served.get(`/jobs/api/${query}`);
      return body.items[0];
    }, query);
  await eventually(async () => {
    await host.flush();
    const { body } = await served.get('/jobs/api/endpoints');
    return body.items.reduce((sum: number, item: { totalCalls: number }) => sum + item.totalCalls, 0) === 25;
  }, '25 recorded calls');
  await eventually(
    async () => (await served.get('/jobs/api/jobs?name=bill&state=Completed')).body.items.length === 10,
  );
  const created = await one(`endpoints/${endpointIds.create}/calls`);
  const shipped = await one('jobs?name=ship&state=Completed');
  return {
    fixture,
    served,
    host,
    jobs,
    ids: {
      failed: (await one('jobs?name=bill&state=Failed')).id,
      shipped: shipped.id,
      batch: batch.batchId,
      call: created.id,
      trace: created.traceId,
      running: running.jobId,
      server: (await one('servers')).id,
    },
    close: async () => {
      await served.close();
      await jobs.stop({ timeoutMs: 100 });
      await host.close();
      await fixture.close();
    },
  };
}
