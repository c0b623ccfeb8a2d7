import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInJobContext, traceIdFromTraceparent } from '../context.ts';
import { createFixture, eventually, type Fixture } from '../testing/fixture.ts';
import { defineJob, defineMessage, type JobDefinition } from './declare.ts';
import { batchMember, batchMembers } from './groups.ts';
import type { Jobs } from './jobs.ts';

let fixture: Fixture;
let sequence = 0;
const uniqueName = (): string => `group-${++sequence}`;

beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.close());

const state = async (jobs: Jobs, id: string | null) => (id === null ? null : (await jobs.get(id))?.state);

/** Declares a job whose handler throws on the payload `bad`. */
function plainJob(name: string, rest: Partial<JobDefinition<string>> = {}) {
  return defineJob<string>({ name, queue: name, parse: (value) => String(value), ...rest });
}

function started(job: ReturnType<typeof plainJob>, onRun: (payload: string) => unknown = () => undefined) {
  const jobs = fixture.jobs();
  jobs.handle(job, (payload) => {
    if (payload === 'bad') throw new Error('bad');
    return onRun(payload);
  });
  return { jobs, ready: jobs.start() };
}

describe('continuations', () => {
  it('run after their parent completed, whether they were enqueued before or after its end', async () => {
    const order: string[] = [];
    const job = plainJob(uniqueName());
    const jobs = fixture.jobs();
    jobs.handle(job, (payload) => void order.push(payload));
    const parent = await jobs.enqueue(fixture.pool, job, 'parent', { delayMs: 100 });
    const early = await jobs.enqueue(fixture.pool, job, 'early', { after: { jobId: parent.jobId } });
    expect(await state(jobs, early.jobId)).toBe('AwaitingParent');
    await jobs.start();
    await eventually(async () => (await state(jobs, early.jobId)) === 'Completed');
    const late = await jobs.enqueue(fixture.pool, job, 'late', { after: { jobId: parent.jobId } });
    await eventually(async () => (await state(jobs, late.jobId)) === 'Completed');
    expect(order).toEqual(['parent', 'early', 'late']);
  });

  it('remain waiting after their parent failed, and run after it is requeued and completes', async () => {
    const job = plainJob(uniqueName());
    let isMended = false;
    const jobs = fixture.jobs();
    jobs.handle(job, (payload) => {
      if (payload === 'parent' && !isMended) throw new Error('broken');
    });
    await jobs.start();
    const parent = await jobs.enqueue(fixture.pool, job, 'parent');
    const after = { jobId: parent.jobId };
    const onSuccess = await jobs.enqueue(fixture.pool, job, 'on success', { after });
    const onEnd = await jobs.enqueue(fixture.pool, job, 'on end', { after: { ...after, when: 'Ended' } });
    await eventually(async () => (await state(jobs, onEnd.jobId)) === 'Completed');
    expect(await state(jobs, onSuccess.jobId)).toBe('AwaitingParent');
    isMended = true;
    await jobs.requeue(fixture.pool, parent.jobId);
    await eventually(async () => (await state(jobs, onSuccess.jobId)) === 'Completed');
  });

  it('are cancelled with their parent', async () => {
    const job = plainJob(uniqueName());
    const { jobs, ready } = started(job);
    await ready;
    const parent = await jobs.enqueue(fixture.pool, job, 'parent', { delayMs: 60_000 });
    const child = await jobs.enqueue(fixture.pool, job, 'child', { after: { jobId: parent.jobId } });
    const grandchild = await jobs.enqueue(fixture.pool, job, 'grandchild', { after: { jobId: child.jobId } });
    await jobs.cancel(fixture.pool, parent.jobId);
    await eventually(async () => (await state(jobs, grandchild.jobId)) === 'Cancelled');
    expect(await state(jobs, child.jobId)).toBe('Cancelled');
  });

  it('are refused for a parent that does not exist', async () => {
    const jobs = fixture.jobs();
    const after = { jobId: '00000000-0000-7000-8000-000000000000' };
    await expect(jobs.enqueue(fixture.pool, plainJob(uniqueName()), 'x', { after })).rejects.toThrow(
      /no job/,
    );
  });
});

describe('batches', () => {
  it('complete after all members, and then run the completion job', async () => {
    const done: string[] = [];
    const job = plainJob(uniqueName());
    const { jobs, ready } = started(job, (payload) => void done.push(payload));
    await ready;
    const batch = await jobs.createBatch(fixture.pool, {
      name: 'three and one',
      members: [
        batchMembers(
          job,
          ['a', 'b', 'c'].map((payload) => ({ payload })),
        ),
        batchMember(job, 'd'),
      ],
      completion: { member: batchMember(job, 'last') },
    });
    expect(batch.jobIds).toHaveLength(4);
    await eventually(async () => (await state(jobs, batch.completionJobId)) === 'Completed');
    expect(await jobs.get(batch.batchId)).toMatchObject({
      kind: 'Batch',
      state: 'Completed',
      name: 'three and one',
    });
    expect(done.at(-1)).toBe('last');
    expect(done.toSorted()).toEqual(['a', 'b', 'c', 'd', 'last']);
    expect(await jobs.read.memberCounts(batch.batchId)).toEqual({ Completed: 4 });
    expect((await jobs.read.trace(batch.batchId)).map((record) => record.id).toSorted()).toEqual(
      [batch.batchId, batch.completionJobId, ...batch.jobIds].toSorted(),
    );
  });

  it('fail with a member, and complete after that member is requeued and completes', async () => {
    const job = plainJob(uniqueName());
    let isMended = false;
    const jobs = fixture.jobs();
    jobs.handle(job, (payload) => {
      if (payload === 'weak' && !isMended) throw new Error('broken');
    });
    await jobs.start();
    const batch = await jobs.createBatch(fixture.pool, {
      members: [batchMember(job, 'weak'), batchMember(job, 'strong')],
      completion: { member: batchMember(job, 'after') },
    });
    await eventually(async () => (await state(jobs, batch.batchId)) === 'Failed');
    expect(await state(jobs, batch.completionJobId)).toBe('AwaitingParent');
    isMended = true;
    await jobs.requeue(fixture.pool, batch.jobIds[0] ?? '');
    await eventually(async () => (await state(jobs, batch.completionJobId)) === 'Completed');
    expect(await state(jobs, batch.batchId)).toBe('Completed');
  });

  it('are cancelled with all their members', async () => {
    const job = plainJob(uniqueName());
    const { jobs, ready } = started(job);
    await ready;
    const batch = await jobs.createBatch(
      fixture.pool,
      {
        members: [batchMember(job, 'a'), batchMember(job, 'b')],
        completion: { member: batchMember(job, 'c') },
      },
      { delayMs: 60_000 },
    );
    expect(await jobs.cancel(fixture.pool, batch.batchId)).toBe('Requested');
    await eventually(async () => (await state(jobs, batch.completionJobId)) === 'Cancelled');
    expect(await state(jobs, batch.batchId)).toBe('Cancelled');
    expect(await jobs.read.memberCounts(batch.batchId)).toEqual({ Cancelled: 2 });
  });

  it('are created completely or not at all', async () => {
    const job = plainJob(uniqueName(), {
      parse: (value) => {
        if (value === 'wrong') throw new Error('wrong');
        return String(value);
      },
    });
    const jobs = fixture.jobs();
    const members = [batchMember(job, 'right'), batchMember(job, 'wrong')];
    await expect(jobs.createBatch(fixture.pool, { name: 'half', members })).rejects.toThrow(/wrong/);
    expect((await jobs.read.jobs({ name: 'half' })).total).toBe(0);
    expect((await jobs.read.jobs({ name: job.name })).total).toBe(0);
  });
});

describe('messages', () => {
  it('create one job for each handler, each with separate attempts', async () => {
    const name = uniqueName();
    const first = plainJob(`${name}-first`, { queue: name });
    const second = plainJob(`${name}-second`, { queue: name, retry: { attemptsMax: 2, delaysMs: [0] } });
    const message = defineMessage<string>({ name, parse: String, handlers: [first, second] });
    const seen: string[] = [];
    const jobs = fixture.jobs();
    jobs.handle(first, (payload) => void seen.push(`first ${payload}`));
    jobs.handle(second, (payload, run) => {
      if (run.attempt === 1) throw new Error('once');
      seen.push(`second ${payload}`);
    });
    await jobs.start();
    const { messageId, jobIds } = await jobs.publish(fixture.pool, message, 'news');
    await eventually(async () => (await state(jobs, messageId)) === 'Completed');
    expect(seen.toSorted()).toEqual(['first news', 'second news']);
    expect(jobIds).toHaveLength(2);
    expect((await jobs.read.jobs({ batchId: messageId })).items.map((item) => item.name).toSorted()).toEqual([
      first.name,
      second.name,
    ]);
  });
});

describe('trace ids', () => {
  it('are taken from the request and passed on to spawned jobs', async () => {
    const job = plainJob(uniqueName());
    const jobs = fixture.jobs();
    jobs.handle(job, async (payload) => {
      if (payload === 'root') await jobs.enqueue(fixture.pool, job, 'child');
    });
    await jobs.start();
    const traceId = traceIdFromTraceparent('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
    expect(traceId).toBe('4bf92f35-77b3-4da6-a3ce-929d0e0e4736');
    const root = await runInJobContext({ traceId, metadata: { userId: 'u1' } }, () =>
      jobs.enqueue(fixture.pool, job, 'root'),
    );
    const trace = await eventually(async () => {
      const records = await jobs.read.trace(traceId);
      return records.length === 2 && records.every((record) => record.state === 'Completed') && records;
    });
    expect(trace.map((record) => [record.payload, record.spawnedBy, record.metadata])).toEqual([
      ['root', null, { userId: 'u1' }],
      ['child', root.jobId, { userId: 'u1' }],
    ]);
  });

  it.each([
    undefined,
    'nonsense',
    '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
    'x'.repeat(9_999),
  ])('are new without a valid header (%#)', (header) => {
    expect(traceIdFromTraceparent(header)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});
