import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { endOfJob, fireTick, loseSessionOnce, requeueToItsEnd } from '@svc/testkit/runs/ticks.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture();
});
afterAll(() => fixture.close());
beforeEach(() => void fixture.sink.received.splice(0));

const sql = async (statement: string, values: unknown[] = []) =>
  (await fixture.svc.database.query(statement, values)).rows;

async function subscribe() {
  const { id } = await fixture.addSubscription({
    queryId: await fixture.addQuery('select id from orders'),
    recipientIds: [await fixture.addRecipient()],
    notificationTrigger: 'Always',
  });
  return id;
}

const tick = (subscriptionId: number) => fireTick(fixture.svc.database, `subscription:${subscriptionId}`);
const runsOf = (subscriptionId: number) =>
  sql(
    'select id::int, status, due_at as "dueAt", job_id as "jobId" from svc.runs where subscription_id = $1',
    [subscriptionId],
  );

describe('a tick whose attempt loses its database session', () => {
  const moments = [
    { moment: 'before the run exists', table: 'svc.runs', event: 'insert', when: 'true' },
    { moment: 'before the query', table: 'svc.runs', event: 'update', when: 'new.started_at is not null' },
    { moment: 'after the query', table: 'svc.runs', event: 'update', when: 'new.result_count is not null' },
    { moment: 'before the message is sent', table: 'svc.deliveries', event: 'insert', when: 'true' },
    { moment: 'at the end of the run', table: 'svc.runs', event: 'update', when: "new.status = 'Sent'" },
  ] as const;

  test.each(moments)(
    '$moment creates one run and one message when it is retried',
    async ({ moment: _, ...at }) => {
      const id = await subscribe();
      await loseSessionOnce(fixture.svc.database, at);
      const { slotAt, jobId } = await tick(id);
      const job = await endOfJob(fixture.svc.database, jobId);
      expect(job).toEqual({ state: 'Completed', attempt: 2 });
      expect(await runsOf(id)).toEqual([{ id: expect.any(Number), status: 'Sent', dueAt: slotAt, jobId }]);
      expect(fixture.sink.received).toHaveLength(1);
    },
  );
});

describe('a tick that is requeued by hand', () => {
  test('creates no second run and no second message, and its log states this', async () => {
    const id = await subscribe();
    const { slotAt, jobId } = await tick(id);
    await endOfJob(fixture.svc.database, jobId);
    const [run] = await runsOf(id);
    const lines = await requeueToItsEnd(fixture.svc.database, jobId);
    expect(lines).toEqual([
      `The run of ${slotAt.toISOString()} (${run.id}) has ended as Sent. No second run is made.`,
    ]);
    expect(await runsOf(id)).toEqual([run]);
    expect(fixture.sink.received).toHaveLength(1);
  });

  test('continues the run of its slot if that run has not ended', async () => {
    const id = await subscribe();
    const { slotAt, jobId } = await tick(id);
    await endOfJob(fixture.svc.database, jobId);
    await sql(
      'delete from svc.deliveries where run_id in (select id from svc.runs where subscription_id = $1)',
      [id],
    );
    await sql("update svc.runs set status = 'Created', finished_at = null where subscription_id = $1", [id]);
    const lines = await requeueToItsEnd(fixture.svc.database, jobId);
    expect(lines).toEqual([]);
    expect(await runsOf(id)).toEqual([{ id: expect.any(Number), status: 'Sent', dueAt: slotAt, jobId }]);
    expect(fixture.sink.received).toHaveLength(2);
  });

  /** Inserts an ended job of a schedule. `slotAt` null: in the form of an earlier version, without its slot. */
  const endedTick = async (subscriptionId: number, slotAt: string | null): Promise<string> => {
    const [job] = await sql(
      `insert into svc_jobs.job (id, trace_id, created_at, due_at, started_at, finished_at, state, name, queue, slot_at,
         payload)
       values (gen_random_uuid(), gen_random_uuid(), now(), now(), now(), now(), 'Completed', 'run-subscription-tick',
         'runs', $2, jsonb_build_object('subscriptionId', $1::int)) returning id`,
      [subscriptionId, slotAt],
    );
    return job.id;
  };

  test('creates no run of a subscription that was paused meanwhile, and its log states this', async () => {
    const id = await subscribe();
    await fixture.root.post(`/svc/api/subscriptions/${id}/pause`);
    const jobId = await endedTick(id, '2026-01-01T00:00:00Z');
    expect(await requeueToItsEnd(fixture.svc.database, jobId)).toEqual([
      'The subscription is paused or archived. No run is made.',
    ]);
    expect(await runsOf(id)).toEqual([]);
  });

  test('fails if it has no slot, because a second run could not be distinguished from a first one', async () => {
    const id = await subscribe();
    const jobId = await endedTick(id, null);
    await requeueToItsEnd(fixture.svc.database, jobId);
    const [job] = await sql('select state::text, attempt, error from svc_jobs.job where id = $1', [jobId]);
    expect(job).toMatchObject({ state: 'Failed', attempt: 1 });
    expect(job.error).toContain('The job has no slot: no schedule made it.');
    expect(await runsOf(id)).toEqual([]);
  });
});
