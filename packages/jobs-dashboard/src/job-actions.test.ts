import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../jobs/src/testing/fixture.ts';
import { bill, idle, type Orders, slow, startOrders } from './testing/orders.ts';
import { serveDashboard } from './testing/served.ts';

let orders: Orders;
let served: Orders['served'];
let jobs: Orders['jobs'];
let acts: Orders['acts'];
let ids: Orders['ids'];

beforeAll(async () => {
  orders = await startOrders();
  ({ served, jobs, acts, ids } = orders);
});
afterAll(() => orders.close());

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
    const strict = await serveDashboard(orders.fixture, {
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
    const bulkIds = await orders.list('state=Cancelled&limit=200');
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
