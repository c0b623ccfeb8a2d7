import { defineJob, type Job, type Jobs } from '@svc/jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../jobs/src/testing/fixture.ts';
import type { Act } from './index.ts';
import { createFixture, type Fixture, type Served, serveDashboard } from './testing/served.ts';

type Order = {
  order: { id: number; lines?: { sku: string }[] };
  password?: string;
  fails?: boolean;
};
const parse = (value: unknown) => value as Order;
const ship: Job<Order> = defineJob({ name: 'ship-order', queue: 'shipping', parse });
const bill: Job<Order> = defineJob({ name: 'bill-order', queue: 'billing', parse });
const slow: Job<Order> = defineJob({ name: 'slow-order', queue: 'slow', parse });
const idle: Job<Order> = defineJob({ name: 'idle-order', queue: 'nobody', parse });

let fixture: Fixture;
let served: Served;
let jobs: Jobs;
const acts: Act[] = [];
const ids: Record<'shipped' | 'failed' | 'waiting' | 'later' | 'spawned', string> = {
  shipped: '',
  failed: '',
  waiting: '',
  later: '',
  spawned: '',
};

beforeAll(async () => {
  fixture = await createFixture();
  served = await serveDashboard(fixture, {
    audit: (act) => {
      acts.push(act);
    },
  });
  jobs = fixture.jobs({
    queues: { shipping: { concurrency: 2 }, billing: { concurrency: 2 }, slow: { concurrency: 1 } },
  });
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
});
afterAll(async () => {
  await served.close();
  await fixture.close();
});

const idsOf = async (query: string) => {
  const { status, body, text } = await served.get(`/jobs/api/jobs?${query}`);
  expect(status, text).toBe(200);
  return (body.items as { id: string }[]).map(({ id }) => id);
};

describe('the list of jobs', () => {
  it('contains the jobs of one state, or of all states with the newest first', async () => {
    expect(await idsOf('state=Failed')).toEqual([ids.failed]);
    expect(await idsOf('state=Enqueued')).toEqual([ids.waiting]);
    expect(await idsOf('state=Scheduled')).toEqual([ids.later]);
    expect((await idsOf('state=Completed')).toSorted()).toEqual([ids.shipped, ids.spawned].toSorted());
    const all = await idsOf('');
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
    const listedIds = await idsOf(query());
    // An order with two jobs shares its payload with the job that it spawned.
    expect(listedIds.filter((id) => id !== ids.spawned || expected().includes(id))).toEqual(expected());
  });

  it('filters by a creation time', async () => {
    const from = new Date(Date.now() - 600_000).toISOString();
    expect(await idsOf(`createdFrom=${encodeURIComponent(from)}`)).toHaveLength(5);
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
      expect(seen.toSorted()).toEqual((await idsOf(state)).toSorted());
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
      expect(await idsOf(`argument=${encodeURIComponent(name)}&value=${encodeURIComponent(name)}`)).toEqual(
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
    const list = await served.get('/jobs/api/jobs/failed-names');
    expect(list.body.items).toMatchObject([{ name: 'bill-order', count: 1 }]);
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

describe('dashboard actions', () => {
  it('requeue a failed job once, and notify the audit in the same transaction', async () => {
    acts.length = 0;
    const again = await jobs.enqueue(jobs.executor, bill, { order: { id: 50 }, fails: true });
    await eventually(async () => (await jobs.get(again.jobId))?.state === 'Failed');
    const { status, body } = await served.post(`/jobs/api/jobs/${again.jobId}/requeue`);
    expect([status, body.outcome]).toEqual([200, 'Enqueued']);
    expect(acts).toMatchObject([{ kind: 'RequeueJobs', jobIds: [again.jobId], visitor: { name: 'ada' } }]);
    await eventually(
      async () => (await jobs.history(again.jobId)).filter((e) => e.event === 'Failed').length === 2,
    );
    expect((await served.post(`/jobs/api/jobs/${again.jobId}/delete`)).body.outcome).toBe('Deleted');
    expect((await served.get(`/jobs/api/jobs/${again.jobId}`)).status).toBe(404);
    expect(await jobs.history(again.jobId)).toEqual([]);
  });

  it('cancel a waiting job, and refuse to cancel an ended job or to delete an unended job', async () => {
    const { jobId } = await jobs.enqueue(jobs.executor, idle, { order: { id: 51 } });
    const early = await served.post(`/jobs/api/jobs/${jobId}/delete`);
    expect([early.status, early.body.code]).toEqual([409, 'not-possible']);
    expect((await served.post(`/jobs/api/jobs/${jobId}/cancel`)).body.outcome).toBe('Cancelled');
    expect((await served.post(`/jobs/api/jobs/${jobId}/cancel`)).status).toBe(409);
    expect((await served.post(`/jobs/api/jobs/${jobId}/delete`)).status).toBe(200);
    expect((await served.post(`/jobs/api/jobs/${jobId}/delete`)).status).toBe(404);
  });

  it('change nothing if the audit fails', async () => {
    const strict = await serveDashboard(fixture, {
      audit: () => {
        throw new Error('The audit is full.');
      },
    });
    expect((await strict.post(`/jobs/api/jobs/${ids.waiting}/cancel`)).status).toBe(500);
    await strict.close();
    expect((await jobs.get(ids.waiting))?.state).toBe('Enqueued');
  });

  it('on many jobs require a count, and are refused if there are more jobs later', async () => {
    const items = Array.from({ length: 1_200 }, (_, at) => ({ payload: { order: { id: 1_000 + at } } }));
    await jobs.enqueueMany(jobs.executor, idle, items, { queue: 'bulk' });
    const filter = { state: 'Enqueued', queue: 'bulk' };
    const counted = await served.post('/jobs/api/jobs/bulk/count', { action: 'cancel', filter });
    expect(counted.body).toEqual({ count: 1_200, isMore: false });
    await jobs.enqueue(jobs.executor, idle, { order: { id: 2_500 } }, { queue: 'bulk' });
    const run = (confirmedCount: number) =>
      served.post('/jobs/api/jobs/bulk/run', { action: 'cancel', filter, confirmedCount });
    const late = await run(1_200);
    expect([late.status, late.body.code, late.body.count]).toEqual([409, 'count-changed', 1_201]);
    acts.length = 0;
    expect((await run(1_201)).body).toMatchObject({ changed: 1_201, unchanged: 0, isMore: false });
    expect(acts.map(({ kind, jobIds, detail }) => [kind, jobIds?.length, detail])).toEqual([
      ['CancelJobs', 500, { filter }],
      ['CancelJobs', 500, { filter }],
      ['CancelJobs', 201, { filter }],
    ]);
    const bulkIds = await idsOf('state=Cancelled&limit=200');
    const gone = await served.post('/jobs/api/jobs/bulk/run', {
      action: 'delete',
      ids: [...bulkIds, ids.waiting],
      confirmedCount: 201,
    });
    expect(gone.body).toMatchObject({
      changed: 200,
      unchanged: 1,
      outcomes: { Deleted: 200, NotPossible: 1 },
    });
  });

  it.each([
    [{ action: 'explode', ids: [] }],
    [{ action: 'cancel' }],
    [{ action: 'cancel', ids: [] }],
    [{ action: 'cancel', ids: ['x'], confirmedCount: 1 }],
    [{ action: 'cancel', filter: {}, confirmedCount: 1 }],
    [{ action: 'cancel', filter: { state: 'Failed' }, confirmedCount: 1 }],
    [{ action: 'delete', filter: { state: 'Processing' }, confirmedCount: 1 }],
    [{ action: 'cancel', filter: [], confirmedCount: 1 }],
    [{ action: 'cancel', filter: { state: { a: 1 } }, confirmedCount: 1 }],
    [{ action: 'requeue', filter: { state: 'Failed' } }],
  ])('are refused with 400 for %j', async (body) => {
    expect((await served.post('/jobs/api/jobs/bulk/run', body)).status).toBe(400);
  });
});

describe('a running job', () => {
  it('shows its progress and its process, and stops when it is cancelled', async () => {
    const { jobId } = await jobs.enqueue(jobs.executor, slow, { order: { id: 70 } });
    const path = `/jobs/api/jobs/${jobId}`;
    const shown = await eventually(async () => {
      const { body } = await served.get(path);
      return body.progress === 0.5 && body;
    });
    expect(shown).toMatchObject({
      state: 'Processing',
      progressText: 'half way',
      serverName: expect.any(String),
    });
    expect(shown.attempts).toMatchObject([{ finishedAt: null, outcome: null }]);
    const [server] = (await served.get('/jobs/api/servers')).body.items;
    const { body } = await served.get(`/jobs/api/servers/${server.id}`);
    expect(body.runningJobs).toMatchObject([{ id: jobId }]);
    expect((await served.post(`${path}/requeue`)).status).toBe(409);
    expect((await served.post(`${path}/cancel`)).body.outcome).toBe('Requested');
    await eventually(async () => (await served.get(path)).body.state === 'Cancelled');
  });
});

describe('queues', () => {
  it('are paused, resumed and limited', async () => {
    acts.length = 0;
    expect((await served.post('/jobs/api/queues/nobody/pause')).status).toBe(200);
    expect((await served.post('/jobs/api/queues/nobody/limit', { maxRunning: 3 })).status).toBe(200);
    const queue = async () =>
      (await served.get('/jobs/api/queues')).body.items.find(
        ({ name }: { name: string }) => name === 'nobody',
      );
    expect(await queue()).toMatchObject({ maxRunning: 3, pausedAt: expect.any(String) });
    await served.post('/jobs/api/queues/nobody/resume');
    await served.post('/jobs/api/queues/nobody/limit', { maxRunning: null });
    expect(await queue()).toMatchObject({ maxRunning: null, pausedAt: null });
    expect(acts.map(({ kind }) => kind)).toEqual(['PauseQueue', 'LimitQueue', 'ResumeQueue', 'LimitQueue']);
    for (const maxRunning of [-1, 1.5, '3', undefined]) {
      expect((await served.post('/jobs/api/queues/nobody/limit', { maxRunning })).status).toBe(400);
    }
  });
});

describe('recurring jobs', () => {
  it('are listed with a description and their next times, run immediately, paused and resumed', async () => {
    await jobs.schedules.put(jobs.executor, {
      key: 'night/ly ü',
      cron: '30 2 * * 1-5',
      timeZone: 'Europe/Berlin',
      job: idle,
      payload: { order: { id: 60 }, password: 'hunter2' },
    });
    const { body } = await served.get('/jobs/api/recurring?search=NIGHT');
    expect(body).toMatchObject({
      total: 1,
      items: [{ key: 'night/ly ü', description: 'Every weekday at 02:30', isEnabled: true }],
    });
    const [{ id, nextTimes }] = body.items;
    expect(nextTimes).toHaveLength(5);
    acts.length = 0;
    const ran = await served.post(`/jobs/api/recurring/${id}/run`);
    expect((await jobs.get(ran.body.jobId))?.scheduleKey).toBe('night/ly ü');
    await served.post(`/jobs/api/recurring/${id}/pause`);
    const paused = await served.get(`/jobs/api/recurring/${id}`);
    expect(paused.body).toMatchObject({ isEnabled: false, nextTimes: [], payload: { password: '***' } });
    await served.post(`/jobs/api/recurring/${id}/resume`);
    expect((await served.get(`/jobs/api/recurring/${id}`)).body.nextTimes).toHaveLength(5);
    expect(acts.map(({ kind, scheduleKey }) => [kind, scheduleKey])).toEqual([
      ['RunSchedule', 'night/ly ü'],
      ['PauseSchedule', 'night/ly ü'],
      ['ResumeSchedule', 'night/ly ü'],
    ]);
    for (const act of ['run', 'pause', 'resume']) {
      expect((await served.post(`/jobs/api/recurring/bm9uZQ/${act}`)).status).toBe(404);
    }
  });
});
