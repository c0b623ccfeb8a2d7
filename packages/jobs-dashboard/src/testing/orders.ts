import { defineJob, type Job } from '@svc/jobs';
import { eventually } from '../../../jobs/src/testing/fixture.ts';
import type { Act } from '../index.ts';
import { createFixture, serveDashboard } from './served.ts';

type Order = {
  order: { id: number; lines?: { sku: string }[] };
  password?: string;
  fails?: boolean;
};
const parse = (value: unknown) => value as Order;
const ship: Job<Order> = defineJob({ name: 'ship-order', queue: 'shipping', parse });
export const bill: Job<Order> = defineJob({ name: 'bill-order', queue: 'billing', parse });
export const slow: Job<Order> = defineJob({ name: 'slow-order', queue: 'slow', parse });
/** Job without a worker: it remains in its queue. */
export const idle: Job<Order> = defineJob({ name: 'idle-order', queue: 'nobody', parse });

export type Orders = Awaited<ReturnType<typeof startOrders>>;

/** Starts a dashboard over five jobs: two completed, one failed, one waiting, one scheduled for later. */
export async function startOrders() {
  const fixture = await createFixture();
  /** Actions that the audit has received. */
  const acts: Act[] = [];
  const served = await serveDashboard(fixture, { audit: (act) => void acts.push(act) });
  const jobs = fixture.jobs({
    queues: { shipping: { concurrency: 2 }, billing: { concurrency: 2 }, slow: { concurrency: 1 } },
  });
  const ids = { shipped: '', failed: '', waiting: '', later: '', spawned: '' };
  jobs.handle(slow, async (_payload, run) => {
    run.progress(0.5, 'half way');
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }));
    run.signal.throwIfAborted();
  });
  jobs.handle(ship, async (payload, run) => {
    run.log('packing');
    const { jobId } = await jobs.enqueue(jobs.executor, bill, payload);
    ids.spawned = jobId;
  });
  jobs.handle(bill, (payload) => {
    if (payload.fails) throw new Error('The card was declined.');
  });
  await jobs.start();
  const put = async (job: Job<Order>, payload: Order, options = {}) =>
    (await jobs.enqueue(jobs.executor, job, payload, options)).jobId;
  ids.shipped = await put(
    ship,
    { order: { id: 41, lines: [{ sku: 'a' }, { sku: 'b' }] }, password: 'hunter2' },
    { metadata: { tags: ['vip'], tenant: 'acme' } },
  );
  ids.failed = await put(bill, { order: { id: 42 }, fails: true });
  ids.waiting = await put(idle, { order: { id: 43 } }, { metadata: { tags: { region: 'eu' } } });
  ids.later = await put(idle, { order: { id: 44 } }, { delayMs: 3_600_000 });
  const state = async (id: string) => (await jobs.get(id))?.state;
  await eventually(async () => (await state(ids.shipped)) === 'Completed');
  await eventually(async () => (await state(ids.failed)) === 'Failed');
  await eventually(async () => ids.spawned !== '' && (await state(ids.spawned)) === 'Completed');
  await eventually(async () => (await jobs.history(ids.shipped)).some(({ event }) => event === 'Log'));
  return {
    fixture,
    served,
    jobs,
    acts,
    ids,
    /** Returns the ids of the list for a query. */
    list: async (query: string): Promise<readonly string[]> => {
      const { status, body, text } = await served.get(`/jobs/api/jobs?${query}`);
      if (status !== 200) throw new Error(`The list returned ${status}: ${text}`);
      return (body.items as { id: string }[]).map(({ id }) => id);
    },
    close: async () => {
      await served.close();
      await fixture.close();
    },
  };
}
