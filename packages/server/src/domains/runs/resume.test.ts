import { createJobs } from '@svc/jobs';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture();
});
afterAll(() => fixture.close());

/** Puts an ended run into the state of a process that died after the message was frozen. */
async function cutShort(recipientPaths: readonly string[], attempted: Readonly<Record<string, string>>) {
  const table = `orders_${Object.keys(attempted).join('_').replaceAll(/\W/g, '')}`;
  await fixture.shop.query(`create table ${table} as select 1 as item`);
  const queryId = await fixture.addQuery(`select item from ${table}`);
  const ids = new Map<string, number>();
  for (const path of recipientPaths) ids.set(path, await fixture.addRecipient(path));
  const recipientIds = [...ids.values()];
  const { id } = await fixture.addSubscription({ queryId, recipientIds, notificationTrigger: 'Always' });
  const { id: runId } = await fixture.runNow(id);
  // The query would return other rows by now.
  await fixture.shop.query(`insert into ${table} values (2), (3)`);
  await fixture.svc.database.query('delete from svc.deliveries where run_id = $1', [runId]);
  for (const [path, state] of Object.entries(attempted)) {
    await fixture.svc.database.query(
      `insert into svc.deliveries (run_id, run_due_at, recipient_id, state, message_id)
       select id, due_at, $2, $3, 'a message' from svc.runs where id = $1`,
      [runId, ids.get(path), state],
    );
  }
  await fixture.svc.database.query(
    `update svc.runs set status = 'Created', reason = null, reason_detail = null, finished_at = null where id = $1`,
    [runId],
  );
  return { runId, ids };
}

/** Makes the job of a run ready again, as the sweeper does for jobs of a lost worker. */
async function takeUpAgain(runId: number): Promise<void> {
  const { rowCount } = await fixture.svc.database.query(
    `update svc_jobs.job set state = 'Enqueued', due_at = now() where id = (select job_id from svc.runs where id = $1)`,
    [runId],
  );
  expect(rowCount).toBe(1);
}

describe('an interrupted run', () => {
  test('sends the frozen message after its resumption only to recipients to which no message may have been sent', async () => {
    const { runId, ids } = await cutShort(['/a', '/b', '/c'], { '/a': 'Sent', '/b': 'Sending' });
    const before = fixture.sink.received.length;
    await takeUpAgain(runId);
    const run = await fixture.endOf(runId);
    const arrived = fixture.sink.received.slice(before);
    expect(arrived.map(({ path }) => path)).toEqual(['/c']);
    expect(JSON.parse(arrived[0]?.text ?? '')).toMatchObject({ totalRecords: 1 });
    expect(run).toMatchObject({ status: 'Failed', resultCount: 1 });
    expect(run.comment).toBe(
      `Recipient ${ids.get('/b')}: The service stopped while the delivery was under way; it may have arrived.`,
    );
    const states = new Map(run.deliveries.map(({ recipientId, state }) => [recipientId, state]));
    expect([...ids.values()].map((id) => states.get(id))).toEqual(['Sent', 'Unknown', 'Sent']);
  });

  test('is ended if no worker resumes it, with the attempt in progress as Unknown', async () => {
    const { runId } = await cutShort(['/d'], { '/d': 'Sending' });
    await fixture.svc.database.query(
      `update svc.runs set created_time = now() - interval '10 minutes' where id = $1`,
      [runId],
    );
    const jobs = createJobs({ pool: fixture.svc.database });
    await jobs.schedules.trigger(jobs.executor, 'maintenance:end-abandoned-runs');
    const run = await until('the end of the abandoned run', async () => {
      const { body } = await fixture.root.get(`/svc/api/notifications/${runId}`);
      return body.status === 'Created' ? undefined : body;
    });
    expect(run).toMatchObject({ status: 'Failed', deliveries: [{ state: 'Unknown' }] });
    expect(run.comment).toContain('interrupted');
  });
});
