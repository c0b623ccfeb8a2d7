import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Orders, startOrders } from './testing/orders.ts';

let orders: Orders;
let served: Orders['served'];
let ids: Orders['ids'];
let list: Orders['list'];

beforeAll(async () => {
  orders = await startOrders();
  ({ served, ids, list } = orders);
});
afterAll(() => orders.close());

describe('the list of jobs', () => {
  it('contains the jobs of one state, or of all states with the newest first', async () => {
    expect(await list('state=Failed')).toEqual([ids.failed]);
    expect(await list('state=Enqueued')).toEqual([ids.waiting]);
    expect(await list('state=Scheduled')).toEqual([ids.later]);
    expect((await list('state=Completed')).toSorted()).toEqual([ids.shipped, ids.spawned].toSorted());
    const all = await list('');
    expect(all).toHaveLength(5);
    expect(all).toEqual(all.toSorted().reverse());
  });

  it.each([
    ['a complete id', () => `id=${ids.failed}`, () => [ids.failed]],
    ['the first digits of an id', () => `id=${ids.failed.slice(0, 20)}`, () => [ids.failed]],
    ['part of a name in another case', () => 'name=SHIP', () => [ids.shipped]],
    ['a complete name', () => 'exactName=bill', () => []],
    ['a tag of a list', () => 'tag=vip', () => [ids.shipped]],
    ['a tag of an object', () => 'tag=region:eu', () => [ids.waiting]],
    ['a member of the metadata', () => 'tag=tenant:acme', () => [ids.shipped]],
    ['the value of another tag', () => 'tag=region:us', () => []],
    ['a number in the payload', () => 'argument=order.id&value=42', () => [ids.failed]],
    ['text inside an array of the payload', () => 'argument=order.lines.sku&value=b', () => [ids.shipped]],
    ['the presence of a member', () => 'argument=fails', () => [ids.failed]],
    ['a past time', () => 'createdUntil=2020-01-01T00:00:00Z', () => []],
    ['a queue', () => 'queue=nobody&state=Enqueued', () => [ids.waiting]],
    ['the spawner', () => `spawnedBy=${ids.shipped}`, () => [ids.spawned]],
    ['several conditions', () => 'state=Enqueued&name=idle&argument=order.id&value=43', () => [ids.waiting]],
  ])('filters by %s', async (_what, query, expected) => {
    const listedIds = await list(query());
    // An order with two jobs shares its payload with the job that it spawned.
    expect(listedIds.filter((id) => id !== ids.spawned || expected().includes(id))).toEqual(expected());
  });

  it('filters by a creation time', async () => {
    const from = new Date(Date.now() - 600_000).toISOString();
    expect(await list(`createdFrom=${encodeURIComponent(from)}`)).toHaveLength(5);
  });

  it('returns every job across all pages', async () => {
    for (const state of ['', 'state=Completed&']) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const { body } = await served.get(`/jobs/api/jobs?${state}limit=1${cursor && `&cursor=${cursor}`}`);
        seen.push(...body.items.map(({ id }: { id: string }) => id));
        cursor = body.nextCursor ?? '';
      } while (cursor !== '');
      expect(seen.toSorted()).toEqual((await list(state)).toSorted());
    }
  });

  it.each([
    'state=Nonsense',
    'kind=x',
    'id=xyz',
    'limit=0',
    'limit=1000',
    'limit=a',
    'createdFrom=yesterday',
    'batchId=1',
    'cursor=abc',
    `cursor=${Buffer.from('[0,-1,null]').toString('base64url')}`,
    'value=1',
    'argument=..',
    `name=${'x'.repeat(501)}`,
    'name=%00',
    'tag=a:%ED%A0%80%00',
  ])('refuses ?%s with 400 and an explanation', async (query) => {
    const { status, body } = await served.get(`/jobs/api/jobs?${query}`);
    expect([status, body.code]).toEqual([400, 'invalid-input']);
    expect(body.detail.length).toBeGreaterThan(10);
  });

  it('treats member names of every kind as names, never as part of a statement', async () => {
    for (const name of [`"`, `'; drop table x`, '$[*]', '\\', '"]) ? (1==1) //', 'ß', '__proto__']) {
      expect(await list(`argument=${encodeURIComponent(name)}&value=${encodeURIComponent(name)}`)).toEqual(
        [],
      );
    }
  });

  it('refuses a search by values that are not shown', async () => {
    for (const query of ['argument=password&value=hunter2', 'argument=a.apiKey', 'tag=secret:x']) {
      const { status, body } = await served.get(`/jobs/api/jobs?${query}`);
      expect([query, status]).toEqual([query, 400]);
      expect(body.detail).toContain('not shown');
    }
  });
});

describe('a job page', () => {
  it('shows attempts, history, lines, progress, children, and its payload without secrets', async () => {
    const { body, text } = await served.get(`/jobs/api/jobs/${ids.shipped}`);
    expect(body).toMatchObject({
      name: 'ship-order',
      state: 'Completed',
      payload: { order: { id: 41 }, password: '***' },
      tags: ['vip'],
      attempts: [{ attempt: 1, outcome: 'Completed', error: null }],
      lines: [{ message: 'packing', level: 'info' }],
      spawned: { items: [{ id: ids.spawned, name: 'bill-order' }], hasMore: false },
      origin: null,
      canRequeue: true,
      canCancel: false,
      canDelete: true,
    });
    expect(text).not.toContain('hunter2');
  });

  it('shows the spawner of a spawned job, and the trace that both share', async () => {
    const { body } = await served.get(`/jobs/api/jobs/${ids.spawned}`);
    expect(body.spawner).toMatchObject({ id: ids.shipped });
    const trace = await served.get(`/jobs/api/traces/${body.traceId}`);
    expect(trace.body.jobs.map(({ id }: { id: string }) => id)).toEqual([ids.shipped, ids.spawned]);
    expect(trace.body.jobs[0].attempts[0]).toMatchObject({ attempt: 1, outcome: 'Completed' });
  });

  it('shows the error of a failed job', async () => {
    const { body } = await served.get(`/jobs/api/jobs/${ids.failed}`);
    expect(body.error).toContain('The card was declined.');
    expect(body.attempts).toMatchObject([{ outcome: 'Failed' }]);
    const names = await served.get('/jobs/api/jobs/failed-names');
    expect(names.body.items).toMatchObject([{ name: 'bill-order', count: 1 }]);
  });

  it.each([
    '/jobs/api/jobs/nonsense',
    '/jobs/api/jobs/01900000-0000-7000-8000-000000000000',
    '/jobs/api/traces/x',
  ])('returns 404 for %s', async (path) => {
    expect((await served.get(path)).status).toBe(404);
  });
});

describe('the overview', () => {
  it('counts jobs by state and by queue', async () => {
    const { body } = await served.get('/jobs/api/overview');
    const states = Object.fromEntries(
      body.states.map(({ state, count }: { state: string; count: number }) => [state, count]),
    );
    expect(states).toMatchObject({ Completed: 2, Failed: 1, Enqueued: 1, Scheduled: 1, Processing: 0 });
    expect(
      body.queues.map(({ name, waiting }: { name: string; waiting: number }) => [name, waiting]),
    ).toEqual([
      ['billing', 0],
      ['nobody', 1],
      ['shipping', 0],
      ['slow', 0],
    ]);
    expect(body.servers).toMatchObject({ count: 1, lostCount: 0, capacity: 5 });
  });

  it.each([
    ['hour', 60],
    ['day', 24],
    ['week', 168],
  ])('has a series of the last %s with %i steps that contains the ended jobs', async (span, steps) => {
    const { body } = await served.get(`/jobs/api/overview/series?span=${span}`);
    expect(body.points).toHaveLength(steps);
    const sum = (member: string) =>
      body.points.reduce((total: number, point: Record<string, number>) => total + (point[member] ?? 0), 0);
    expect([sum('completed'), sum('failed')]).toEqual([2, 1]);
  });

  it('lists processes with their workers', async () => {
    const { body } = await served.get('/jobs/api/servers');
    expect(body.items).toMatchObject([
      {
        isLost: false,
        workers: [{ queue: 'billing', concurrency: 2 }, { queue: 'shipping' }, { queue: 'slow' }],
      },
    ]);
    const detail = await served.get(`/jobs/api/servers/${body.items[0].id}`);
    expect(detail.body.runningJobs).toEqual([]);
    expect((await served.get('/jobs/api/servers/x')).status).toBe(404);
  });
});
