import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const path = '/svc/api/data-quality/contracts';
let fixture: RunFixture;

beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Subscriptions:MinimumIntervalSeconds': 1 } });
  const { status } = await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`);
  expect(status).toBe(200);
});
beforeEach(async () => {
  const { body } = await fixture.root.get(`${path}?pageSize=200`);
  for (const { id } of body.items) await fixture.root.delete(`${path}/${id}`);
});
afterAll(() => fixture.close());

const small = { name: 'Small', type: 'Range', columns: ['total'], config: { max: 2 } };
const critical = { ...small, severity: 'Critical' };
/** One of three rows is too large, which warns. */
const warning = { ...small, warnAbove: 0, failAbove: 1 };
const lenient = { warnScore: 95, failScore: 50 };

async function everySecond(
  rule: object,
  more: object = {},
  answer = 200,
): Promise<{ id: number; hook: string }> {
  const hook = `/of-${Math.random().toString(36).slice(2)}`;
  fixture.sink.answers.set(hook, answer);
  const { id } = await fixture.make(path, {
    projectId: fixture.projectId,
    dataSourceId: fixture.sourceId,
    schemaName: 'public',
    tableName: 'orders',
    name: 'Orders',
    rules: [rule],
    cronExpression: '* * * * * *',
    recipientIds: [await fixture.addRecipient(hook)],
    ...more,
  });
  return { id, hook };
}
const evaluated = (id: number, count: number, status: string) =>
  until(`${count} evaluations that are ${status}`, async () => {
    const { body } = await fixture.root.get(`${path}/${id}/evaluations?status=${status}`);
    return body.totalCount >= count || undefined;
  });
type Run = { id: number; status: string; contractId: number | null; finishedAt: string | null };
const runsOf = async (id: number): Promise<Run[]> =>
  (await fixture.root.get('/svc/api/notifications?pageSize=200')).body.items.filter(
    ({ contractId }: Run) => contractId === id,
  );
const ended = (id: number) =>
  until('an alert', async () => (await runsOf(id)).find(({ finishedAt }) => finishedAt !== null));
const arrived = (hook: string) => fixture.sink.received.filter((request) => request.path === hook);

test('an alert names the failed rule and contains no cell of the table', async () => {
  const { id, hook } = await everySecond(critical);
  expect(await ended(id)).toMatchObject({ status: 'Sent' });
  const [{ text } = { text: '' }] = arrived(hook);
  expect(text).toContain('Small');
  expect(text).not.toContain('example.org');
});

test('a warning causes an alert only if the contract alerts on warnings', async () => {
  const quiet = await everySecond(warning, lenient);
  await evaluated(quiet.id, 2, 'Warned');
  expect(await runsOf(quiet.id)).toEqual([]);
  const loud = await everySecond(warning, { ...lenient, alertsOnWarning: true });
  expect(await ended(loud.id)).toMatchObject({ status: 'Sent' });
});

test('a snoozed contract sends no alert, and neither does a manual evaluation', async () => {
  const { id } = await everySecond(critical, { isEnabled: false });
  const one = `${path}/${id}`;
  await fixture.root.post(`${one}/evaluate`);
  await evaluated(id, 1, 'Failed');
  await fixture.root.post(`${one}/snooze`, { until: new Date(Date.now() + 3_600_000).toISOString() });
  const { body } = await fixture.root.get(one);
  const { projectId, dataSourceId, schemaName, tableName, name, rules } = body;
  const saved = {
    projectId,
    dataSourceId,
    schemaName,
    tableName,
    name,
    rules,
    cronExpression: '* * * * * *',
  };
  expect((await fixture.root.put(one, saved)).status).toBe(200);
  await evaluated(id, 3, 'Failed');
  expect(await runsOf(id)).toEqual([]);
});

test('a passing contract sends no alert', async () => {
  const { id } = await everySecond({ ...critical, config: { max: 1_000 } });
  await evaluated(id, 2, 'Passed');
  expect(await runsOf(id)).toEqual([]);
});

test('a failed alert remains in the history and can be sent again after its contract was archived', async () => {
  const { id, hook } = await everySecond(critical, {}, 500);
  const run = await ended(id);
  await fixture.root.delete(`${path}/${id}`);
  expect(run).toMatchObject({ status: 'Failed' });
  fixture.sink.answers.set(hook, 200);
  const sentBefore = arrived(hook).length;
  const { deliveries } = await fixture.endOf(run.id);
  const again = await fixture.root.post(`/svc/api/notifications/${run.id}/resend-failed`, {});
  expect(again.status, again.text).toBeLessThan(300);
  await until('the resend', async () => arrived(hook).length > sentBefore || undefined);
  expect(deliveries).toHaveLength(1);
});
