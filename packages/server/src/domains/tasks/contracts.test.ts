import { signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { evaluateNow } from '@svc/testkit/runs/evaluate.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { addStock, fillStock, stockRule, watchContract } from '@svc/testkit/runs/watched-contract.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture();
  await addStock(fixture);
});
afterAll(() => fixture.close());

const sql = async (text: string, values: unknown[]) => (await fixture.svc.database.query(text, values)).rows;

/** Creates a contract that creates tasks and has no recipients. */
async function watch(more: Readonly<Record<string, unknown>> = {}) {
  const watched = await watchContract(fixture, { createTasks: true, recipientIds: [], ...more });
  const tasks = async () =>
    (await fixture.root.get(`/svc/api/tasks?state=All&contractId=${watched.id}&sort=-id`)).body.items;
  const newest = async () => `/svc/api/tasks/${(await tasks())[0]?.id}`;
  const part = async (name: string) => (await fixture.root.get(`${await newest()}/${name}`)).body;
  return {
    ...watched,
    tasks,
    newest,
    part,
    task: async () => (await fixture.root.get(await newest())).body,
  };
}

describe('a data contract that creates tasks', () => {
  test('opens a task when it fails, with its name and its SLA, and notifies the responsible user', async () => {
    const watched = await watch({ slaHours: 4 });
    await watched.tick(0);
    await watched.tick(1);
    expect(await watched.tasks()).toEqual([]);
    await watched.tick(2);
    const task = await watched.task();
    expect(task).toMatchObject({
      contractId: watched.id,
      subscriptionId: null,
      queryId: null,
      name: watched.body['name'],
      state: 'Open',
      latestResultCount: 1,
      slaHours: 4,
      ownerName: expect.any(String),
    });
    const dueInMs = Date.parse(task.dueAt) - Date.parse(task.createdTime);
    expect(Math.abs(dueInMs - 4 * 3_600_000)).toBeLessThan(1_000);
    expect(
      await sql(`select kind from svc.notices where subject_kind = 'Task' and subject_id = $1`, [task.id]),
    ).toEqual([{ kind: 'TaskOpened' }]);
    const { body } = await fixture.root.get('/svc/api/notices');
    expect(body.items[0].text).toBe(
      `A task was opened: the data contract "${watched.body['name']}" failed, 1 rule did not pass.`,
    );
  });

  test('updates the task while it fails, resolves it when it passes, and links the next task to it', async () => {
    const second = { ...stockRule, name: 'No more than nine', config: { max: 0 }, severity: 'Low' };
    const watched = await watch({ rules: [stockRule, second], failsOn: 'Score' });
    await watched.tick(2);
    await watched.tick(3);
    expect(await watched.tasks()).toHaveLength(1);
    expect(await watched.task()).toMatchObject({ state: 'Open', latestResultCount: 2 });
    // Ten of ten rows are above zero: only the second rule is broken, and it is not Critical.
    expect(await watched.tick(0)).toBe('Warned');
    expect(await watched.task()).toMatchObject({
      state: 'Resolved',
      resolution: 'Automatic',
      resolvedByName: null,
    });
    expect((await watched.part('events?sort=id')).items).toMatchObject([
      { kind: 'Opened', comment: 'An evaluation failed: 2 rules did not pass.' },
      { kind: 'Resolved', comment: 'An evaluation passed: the contract has recovered.' },
    ]);
    await watched.tick(2);
    const [next, first] = await watched.tasks();
    expect(await watched.task()).toMatchObject({ id: next.id, previousTaskId: first.id, state: 'Open' });
    expect((await watched.part('related')).items).toMatchObject([{ id: first.id }]);
  });

  test('resolves it after as many good evaluations as its alert needs; a manual evaluation counts, but opens none', async () => {
    const watched = await watch({ alertMode: 'OnChange', alert: { recoverRuns: 2 } });
    await fillStock(fixture, 2);
    expect((await evaluateNow(fixture.root, watched.id)).status).toBe('Failed');
    expect(await watched.tasks()).toEqual([]);
    await watched.tick(2);
    await watched.tick(0);
    expect(await watched.task()).toMatchObject({ state: 'Open', latestResultCount: 0 });
    await evaluateNow(fixture.root, watched.id);
    expect(await watched.task()).toMatchObject({ state: 'Resolved', resolution: 'Automatic' });
  });

  test('does not resolve the task after an evaluation with an error or a warning with alerts', async () => {
    const watched = await watch({ alertsOnWarning: true });
    await watched.tick(2);
    await fixture.shop.query('alter table stock rename to elsewhere');
    expect(await watched.evaluate()).toBe('Error');
    await fixture.shop.query('alter table elsewhere rename to stock');
    expect(await watched.tick(1)).toBe('Warned');
    expect(await watched.task()).toMatchObject({ state: 'Open' });
    await watched.tick(0);
    expect(await watched.task()).toMatchObject({ state: 'Resolved' });
  });

  test('shows the evaluations behind the task to users who can read the contract', async () => {
    const watched = await watch();
    await watched.tick(0);
    await watched.tick(2);
    await watched.tick(3);
    const { id } = await watched.task();
    expect((await watched.part('executions')).items).toMatchObject([
      { evaluationId: expect.any(Number), rowCount: 1, status: 'Failed', durationMs: expect.any(Number) },
      { rowCount: 1, status: 'Failed' },
      { rowCount: 0, status: 'Passed' },
    ]);
    const { points } = await watched.part('result-history');
    expect(points).toMatchObject([{ resultCount: 0 }, { resultCount: 1 }, { resultCount: 1 }]);
    expect(points[0]).toMatchObject({ notificationId: null, evaluationId: expect.any(Number) });

    await createUser(fixture.svc.database, 'reader', 'Viewer');
    const reader = await signIn(fixture.svc, 'reader');
    const elsewhere = await fixture.make('/svc/api/projects', { name: 'Elsewhere' });
    const closed = { accessMode: 'Restricted' };
    await fixture.root.put(`/svc/api/projects/${elsewhere.projectId}/access-mode`, closed);
    expect((await reader.get(`/svc/api/tasks/${id}/executions`)).body.totalCount).toBe(3);
    // The contract moves to a project that the reader of the task cannot read.
    await sql('update svc.data_contracts set project_id = $2 where id = $1', [
      watched.id,
      elsewhere.projectId,
    ]);
    expect((await reader.get(`/svc/api/tasks/${id}/executions`)).body.totalCount).toBe(0);
    expect((await reader.get(`/svc/api/tasks/${id}/result-history`)).body.points).toEqual([]);
  });

  test('the event of a task contains the run that notified the recipients', async () => {
    const watched = await watchContract(fixture, { createTasks: true });
    await watched.tick(2);
    const [run] = await watched.runs();
    const { items } = (await fixture.root.get(`/svc/api/tasks?contractId=${watched.id}`)).body;
    const events = await fixture.root.get(`/svc/api/tasks/${items[0].id}/events`);
    expect(events.body.items).toMatchObject([{ kind: 'Opened', notificationId: run?.id }]);
  });

  test('a manually reopened task has the SLA of the contract again', async () => {
    const watched = await watch({ slaHours: 2 });
    await watched.tick(2);
    const path = await watched.newest();
    await fixture.root.post(`${path}/resolve`, {});
    const beforeMs = Date.now();
    await fixture.root.post(`${path}/reopen`);
    const task = await watched.task();
    expect(Date.parse(task.dueAt)).toBeGreaterThan(beforeMs + 7_000_000);
    const { status, body } = await fixture.root.put(`/svc/api/data-quality/contracts/${watched.id}`, {
      ...watched.body,
      recipientIds: undefined,
      slaHours: 721,
    });
    expect([status, body.errors?.[0]?.path]).toEqual([400, '/slaHours']);
  });
});
