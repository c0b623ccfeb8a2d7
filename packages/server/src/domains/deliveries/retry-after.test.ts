import { type EndedRun, type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture();
});
afterAll(() => fixture.close());

const daySeconds = 86_400;
let count = 0;

/**
 * Creates a subscription with one webhook that retries failed deliveries. Default: three retries, five seconds first
 * delay.
 */
async function repeating(policy = { retriesMax: 3, delaySeconds: 5 }) {
  count += 1;
  const path = `/repeating/${count}`;
  const recipientId = await fixture.addRecipient(path);
  const set = await fixture.root.put(`/svc/api/recipients/${recipientId}/retry-policy`, policy);
  expect(set.status).toBe(200);
  const queryId = await fixture.addQuery('select id from orders');
  const { id } = await fixture.addSubscription({
    queryId,
    recipientIds: [recipientId],
    notificationTrigger: 'Always',
  });
  return { path, recipientId, subscriptionId: id };
}

/** Returns the seconds from a run's end to its queued retry. */
async function waitOf(run: EndedRun): Promise<number> {
  const { rows } = await fixture.svc.database.query<{ seconds: number }>(
    `select extract(epoch from d.due_at - r.finished_at)::float8 as seconds
     from svc.deliveries d join svc.runs r on r.id = d.run_id where d.run_id = $1 and d.state = 'Queued'`,
    [run.id],
  );
  return Math.round(rows[0]?.seconds ?? Number.NaN);
}

const arrivedAt = (path: string): number =>
  fixture.sink.received.filter((request) => request.path === path).length;
const goneNotices = async (subscriptionId: number) => {
  const { body } = await fixture.root.get('/svc/api/notices?pageSize=200');
  return body.items.filter(
    (notice: { kind: string; subjectId: number }) =>
      notice.kind === 'RecipientGone' && notice.subjectId === subscriptionId,
  );
};

describe('a destination that requests a delay', () => {
  test.each([
    ['429 with seconds', 429, '600', 600],
    ['503 with seconds', 503, '7', 7],
    ['503 with less than the delay of the policy', 503, '1', 5],
    ['503 with more than a day', 503, '9999999', daySeconds],
    ['429 with text that is not a time', 429, 'soon; DROP TABLE', 5],
    ['429 with a negative number', 429, '-60', 5],
    ['500, for which the header is ignored', 500, '600', 5],
  ])('the next attempt has the expected delay after %s', async (_case, status, retryAfter, seconds) => {
    const { path, subscriptionId } = await repeating();
    fixture.sink.answers.set(path, { status, headers: { 'retry-after': retryAfter } });
    const run = await fixture.runNow(subscriptionId);
    expect(run.status).toBe('Failed');
    expect(run.deliveries.at(-1)).toMatchObject({ state: 'Queued', origin: 'Retry' });
    expect(await waitOf(run)).toBe(seconds);
    await fixture.svc.database.query(`delete from svc.deliveries where run_id = $1 and state = 'Queued'`, [
      run.id,
    ]);
  });

  test('the next attempt is delayed until the date of a 429 response', async () => {
    const { path, subscriptionId } = await repeating();
    const beforeMs = Date.now();
    const inTenMinutes = new Date(beforeMs + 600_000).toUTCString();
    fixture.sink.answers.set(path, { status: 429, headers: { 'retry-after': inTenMinutes } });
    const seconds = await waitOf(await fixture.runNow(subscriptionId));
    const elapsedSeconds = (Date.now() - beforeMs) / 1_000;
    // The header has whole seconds, and the delay begins at the end of the run.
    expect(seconds).toBeGreaterThan(598 - elapsedSeconds);
    expect(seconds).toBeLessThanOrEqual(601);
  });

  test('has no effect without a retry policy', async () => {
    const { path, subscriptionId } = await repeating({ retriesMax: 0, delaySeconds: 5 });
    fixture.sink.answers.set(path, { status: 503, headers: { 'retry-after': '1' } });
    const run = await fixture.runNow(subscriptionId);
    expect(run.deliveries.map(({ state }) => state)).toEqual(['Failed']);
  });
});

describe('a destination that no longer exists', () => {
  test('gets no further attempt from the run, and its owner gets one notice until a delivery succeeds', async () => {
    const { path, recipientId, subscriptionId } = await repeating();
    fixture.sink.answers.set(path, 410);
    const run = await fixture.runNow(subscriptionId);
    expect(run.status).toBe('Failed');
    expect(run.deliveries.map(({ state, reason }) => [state, reason])).toEqual([
      ['Failed', 'The destination answered that it is gone for good (HTTP 410).'],
    ]);
    const [notice] = await goneNotices(subscriptionId);
    expect(notice).toMatchObject({ notificationId: run.id });
    expect(notice.text).toContain('410');
    // The subscription remains active: the next run sends again, without another notice.
    await fixture.runNow(subscriptionId);
    expect(arrivedAt(path)).toBe(2);
    expect(await goneNotices(subscriptionId)).toHaveLength(1);
    // A success between two failures makes the second failure a new notice.
    fixture.sink.answers.delete(path);
    expect((await fixture.runNow(subscriptionId)).status).toBe('Sent');
    fixture.sink.answers.set(path, 410);
    await fixture.runNow(subscriptionId);
    expect(await goneNotices(subscriptionId)).toHaveLength(2);
    expect((await fixture.root.get(`/svc/api/recipients/${recipientId}`)).status).toBe(200);
  });

  test('ends the retries if a retry gets 410', async () => {
    const { path, subscriptionId } = await repeating();
    fixture.sink.answers.set(path, 500);
    const run = await fixture.runNow(subscriptionId);
    fixture.sink.answers.set(path, 410);
    const over = await until('the end of the repetition', async () => {
      const { body } = await fixture.root.get(`/svc/api/notifications/${run.id}`);
      return body.deliveries.at(-1).state === 'Failed' ? body : undefined;
    });
    expect(over.deliveries).toHaveLength(2);
    const notices = await until('the notice', async () => {
      const sentNotices = await goneNotices(subscriptionId);
      return sentNotices.length > 0 ? sentNotices : undefined;
    });
    expect(notices).toHaveLength(1);
    expect(arrivedAt(path)).toBe(2);
  });
});
