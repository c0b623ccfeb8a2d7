import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTaskFixture, type TaskFixture } from './testing/task-fixture.ts';

let fixture: TaskFixture;
beforeAll(async () => {
  fixture = await startTaskFixture();
});
afterAll(() => fixture.close());

const act = (id: number, what: string, body?: unknown) =>
  fixture.root.post(`/svc/api/tasks/${id}/${what}`, body);
const noticesOf = async (taskId: number): Promise<string[]> =>
  (
    await fixture.sql(
      `select kind from svc.notices where subject_kind = 'Task' and subject_id = $1 order by id`,
      [taskId],
    )
  ).map(({ kind }) => String(kind));
/** Moves a time of a task into the past, and runs its scheduled checks. */
const pass = async (taskId: number, column: 'due_at' | 'snoozed_until') => {
  await fixture.sql(
    `update svc.tasks set ${column} = date_trunc('milliseconds', now() - interval '1 minute') where id = $1`,
    [taskId],
  );
  await fixture.sql(
    `update svc_jobs.job set state = 'Enqueued', due_at = now() where name = 'look-at-task' and state = 'Scheduled'
       and (payload->>'taskId')::int = $1`,
    [taskId],
  );
};

describe('a run', () => {
  test('opens a task if it finds rows, and none otherwise', async () => {
    const watched = await fixture.watch({ slaHours: 4 });
    expect(await watched.runWith(0)).toMatchObject({ status: 'NoResults' });
    expect(await watched.tasks()).toEqual([]);
    expect(await watched.runWith(2)).toMatchObject({
      status: 'Silenced',
      comment: 'The subscription has no recipient. Its task holds the rows.',
    });
    const task = await watched.task();
    expect(task).toMatchObject({ state: 'Open', priority: 'Normal', latestResultCount: 2, slaHours: 4 });
    const dueInMs = Date.parse(task.dueAt ?? '') - Date.parse(task.createdTime);
    expect(Math.abs(dueInMs - 4 * 3_600_000)).toBeLessThan(1_000);
    expect(await noticesOf(task.id)).toEqual(['TaskOpened']);
  });

  test('updates the open task to the latest count, and resolves it when no rows remain', async () => {
    const watched = await fixture.watch();
    for (const rows of [2, 2, 5]) await watched.runWith(rows);
    expect(await watched.tasks()).toHaveLength(1);
    expect(await watched.task()).toMatchObject({ state: 'Open', latestResultCount: 5, version: 1 });
    await watched.runWith(0);
    expect(await watched.task()).toMatchObject({
      state: 'Resolved',
      resolution: 'Automatic',
      resolvedByName: null,
      latestResultCount: 0,
    });
    expect((await watched.events()).map(({ kind, comment }) => [kind, comment])).toEqual([
      ['Opened', 'A run found 2 rows.'],
      ['CountChanged', '5 rows now, 2 before.'],
      ['Resolved', 'A run found no rows any more.'],
    ]);
  });

  test('shows an acknowledgement of its alert and its withdrawal in the timeline of the task', async () => {
    const watched = await fixture.watch({ notificationTrigger: 'WhileRows' });
    await watched.runWith(2);
    const path = `/svc/api/subscriptions/${watched.id}/alert-acknowledgement`;
    const acknowledged = await fixture.root.post(path, { note: 'I restart the loader.' });
    expect(acknowledged.status, acknowledged.text).toBe(204);
    await fixture.root.delete(path);
    // No acknowledgement remains to withdraw.
    await fixture.root.delete(path);
    expect((await watched.events()).map(({ kind, content, userName }) => [kind, content, userName])).toEqual([
      ['Opened', null, null],
      ['Acknowledged', 'I restart the loader.', expect.any(String)],
      ['AcknowledgementWithdrawn', null, expect.any(String)],
    ]);
    expect(await noticesOf((await watched.task()).id)).toEqual(['TaskOpened']);
  });

  test('opens a new task after a resolved one, linked to it', async () => {
    const watched = await fixture.watch();
    await watched.runWith(1);
    const first = await watched.task();
    expect((await act(first.id, 'resolve', { resolutionNotes: ' Called them. ' })).status).toBe(204);
    await watched.runWith(1);
    const second = await watched.task();
    expect(second).toMatchObject({ state: 'Open', previousTaskId: first.id });
    const related = await fixture.root.get(`/svc/api/tasks/${second.id}/related`);
    expect(related.body.items.map(({ id }: { id: number }) => id)).toEqual([first.id]);
    expect((await fixture.root.get(`/svc/api/tasks/${first.id}`)).body).toMatchObject({
      resolution: 'Manual',
      resolutionNotes: 'Called them.',
      resolvedByName: expect.any(String),
    });
  });

  test('with a failed query changes no task, and with a failed delivery it still opens one', async () => {
    const watched = await fixture.watch();
    await watched.runWith(1);
    await fixture.shop.query('alter table alarms rename to away');
    expect(await fixture.runNow(watched.id)).toMatchObject({ status: 'Failed' });
    await fixture.shop.query('alter table away rename to alarms');
    expect(await watched.task()).toMatchObject({ state: 'Open', latestResultCount: 1 });
    const recipientIds = [await fixture.addRecipient('/broken')];
    fixture.sink.answers.set('/broken', 500);
    const failing = await fixture.watch({ recipientIds });
    expect(await failing.runWith(3)).toMatchObject({ status: 'Failed' });
    expect(await failing.task()).toMatchObject({ latestResultCount: 3 });
  });

  test('that is older than the last run does not change the task', async () => {
    const watched = await fixture.watch();
    const run = await watched.runWith(2);
    // Simulates a run with an earlier due time that ends only now, without rows.
    const { id } = await watched.task();
    await fixture.sql(`update svc.runs set due_at = due_at + interval '1 hour' where id = $1`, [run.id]);
    await watched.runWith(0);
    expect(await watched.task()).toMatchObject({ id, state: 'Open', latestResultCount: 2 });
  });

  test('in parallel with other runs opens only one task', async () => {
    const watched = await fixture.watch();
    await watched.setRows(1);
    const path = `/svc/api/subscriptions/${watched.id}/test-run`;
    const runs = await Promise.all(Array.from({ length: 6 }, () => fixture.root.post(path)));
    for (const { body } of runs) await fixture.endOf(body.id);
    expect(await watched.tasks()).toHaveLength(1);
  });

  test('of a subscription without tasks opens no task', async () => {
    const recipientIds = [await fixture.addRecipient()];
    const watched = await fixture.watch({ createTasks: false, recipientIds });
    await watched.runWith(3);
    expect(await watched.tasks()).toEqual([]);
  });
});

describe('a snoozed task', () => {
  test('is not in the list of open tasks, reports no counts, and wakes above its count', async () => {
    const watched = await fixture.watch();
    await watched.runWith(3);
    const { id } = await watched.task();
    await act(id, 'watch');
    const snoozeUntil = new Date(Date.now() + 3_600_000).toISOString();
    expect((await act(id, 'snooze', { snoozeUntil })).status).toBe(204);
    const listed = async (state: string) =>
      (await fixture.root.get(`/svc/api/tasks?state=${state}&subscriptionId=${watched.id}`)).body.totalCount;
    expect([await listed('Open'), await listed('Snoozed')]).toEqual([0, 1]);
    expect((await watched.task()).snoozedUntil).toBe(snoozeUntil);
    await watched.runWith(2);
    expect(await noticesOf(id)).toEqual(['TaskOpened']);
    await watched.runWith(4);
    expect(await watched.task()).toMatchObject({ snoozedUntil: null, latestResultCount: 4 });
    expect(await noticesOf(id)).toEqual(['TaskOpened', 'TaskWoke']);
    expect([await listed('Open'), await listed('Snoozed')]).toEqual([1, 0]);
  });

  test('wakes at its time, and then reports that it is overdue', async () => {
    const watched = await fixture.watch({ slaHours: 1 });
    await watched.runWith(1);
    const { id } = await watched.task();
    await act(id, 'watch');
    await act(id, 'snooze', { snoozeUntil: new Date(Date.now() + 3_600_000).toISOString() });
    await pass(id, 'due_at');
    await until('the look at the due time', async () => {
      const [row] = await fixture.sql(
        `select count(*)::int as open from svc_jobs.job where name = 'look-at-task' and (payload->>'taskId')::int = $1
           and state not in ('Completed', 'Failed')`,
        [id],
      );
      return row?.['open'] === 0 ? row : undefined;
    });
    expect(await noticesOf(id)).toEqual(['TaskOpened']);
    await act(id, 'snooze', { snoozeUntil: new Date(Date.now() + 500).toISOString() });
    await until('both notices', async () =>
      (await noticesOf(id)).length === 3 ? await noticesOf(id) : undefined,
    );
    expect(await noticesOf(id)).toEqual(['TaskOpened', 'TaskWoke', 'TaskOverdue']);
  });
});

describe('an overdue task', () => {
  test('is shown as overdue, and the responsible user is notified once if no user follows it', async () => {
    const watched = await fixture.watch({ slaHours: 1 });
    await watched.runWith(1);
    const { id } = await watched.task();
    await pass(id, 'due_at');
    await until('the notice', async () => ((await noticesOf(id)).length === 2 ? true : undefined));
    expect(await noticesOf(id)).toEqual(['TaskOpened', 'TaskOverdue']);
    expect(await watched.task()).toMatchObject({ isOverdue: true });
    const { body } = await fixture.root.get('/svc/api/notices?pageSize=200');
    const [overdueNotice] = body.items.filter((notice: { subjectId: number }) => notice.subjectId === id);
    expect(overdueNotice.text).toMatch(
      /^The task "Query \d+" is overdue: it was to be resolved by .* UTC\.$/,
    );
  });

  test('causes no notice if it was resolved before', async () => {
    const watched = await fixture.watch({ slaHours: 1 });
    await watched.runWith(1);
    const { id } = await watched.task();
    await act(id, 'resolve', {});
    await pass(id, 'due_at');
    await until('the look', async () => {
      const [row] = await fixture.sql(
        `select state from svc_jobs.job where name = 'look-at-task' and (payload->>'taskId')::int = $1`,
        [id],
      );
      return row?.['state'] === 'Completed' ? row : undefined;
    });
    expect(await noticesOf(id)).toEqual(['TaskOpened']);
  });
});
