import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { endOfJob, fireTick, requeueToItsEnd } from '@svc/testkit/runs/ticks.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const path = '/svc/api/eval/schedule';
const runs = '/svc/api/eval/runs';
let provider: LlmProviderProcess;
let fixture: RunFixture;

const sqls = ['select count(*) from orders', 'select sum(total) from orders'] as const;
const writes = (sql: string) => ({
  kind: 'Sql',
  sql,
  assumptions: [],
  question: null,
  options: [],
  missing: null,
});

beforeAll(async () => {
  provider = await startLlmProvider();
  fixture = await startRunFixture({
    config: {
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
    },
  });
  const { root, sourceId: dataSourceId, projectId } = fixture;
  await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
  for (const sql of sqls)
    await fixture.make('/svc/api/eval/golden', { projectId, dataSourceId, question: `What is ${sql}?`, sql });
});
beforeEach(async () => {
  await sql('delete from svc.notices');
  await sql('update svc.eval_schedules set last_skipped_at = null, last_skip_reason = null');
});
afterAll(async () => {
  await fixture?.close();
  await provider?.close();
});

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await fixture.svc.database.query(text, [...values])).rows;
const content = (change: object = {}) => ({
  projectId: fixture.projectId,
  cronExpression: '0 4 * * *',
  timeZone: 'Europe/Zagreb',
  minAccuracy: 0.8,
  ...change,
});
const save = async (change: object = {}, client = fixture.root) => {
  const { status, body, text } = await client.put(path, content(change));
  expect(status, text).toBe(200);
  return body;
};
const scheduleNow = async () =>
  (await fixture.root.get(`${path}?projectId=${fixture.projectId}`)).body.items[0];
const lastRunId = async (): Promise<number> =>
  (await sql('select coalesce(max(id), 0)::int as id from svc.eval_runs'))[0].id;
const makeDue = async () => {
  const changed = await sql(
    `update svc_jobs.schedule set next_due_at = date_trunc('milliseconds', now()) where key = $1 returning key`,
    [`evaluation:${fixture.projectId}`],
  );
  expect(changed).toHaveLength(1);
};
/** Makes a due time start an evaluation with the given answers, and waits for its end. */
const evaluated = async (...answers: readonly string[]) => {
  const before = await lastRunId();
  await provider.script(...answers.map(writes));
  await makeDue();
  return until('a scheduled evaluation', async () => {
    const id = await lastRunId();
    if (id === before) return undefined;
    const { body } = await fixture.root.get(`${runs}/${id}`);
    return body.finishedAt === null ? undefined : body;
  });
};
/** Makes a due time that must not start an evaluation. */
const skipped = async () => {
  await makeDue();
  return until('the due time', async () => (await scheduleNow()).lastSkip ?? undefined);
};
/** Returns the notices about the schedule. Excludes notices of the budget check, which runs every minute. */
const noticeKinds = async (): Promise<string[]> =>
  (await sql("select kind from svc.notices where subject_kind = 'EvaluationSchedule' order by id")).map(
    ({ kind }) => kind,
  );

describe('scheduled evaluations of a project', () => {
  test('send one notice when the accuracy drops and one when it recovers', async () => {
    expect(await save()).toMatchObject({
      minAccuracy: 0.8,
      repeats: 1,
      maxTokens: null,
      isPaused: false,
      isBelow: false,
      version: 1,
      schedule: { cronExpression: '0 4 * * *', timeZone: 'Europe/Zagreb', nextTimes: expect.any(Array) },
      lastRun: null,
      lastSkip: null,
      pauseReason: null,
    });
    expect(await evaluated(...sqls)).toMatchObject({ state: 'Completed', accuracy: 1, minAccuracy: 0.8 });
    expect(await noticeKinds()).toEqual([]);

    const dropped = await evaluated(sqls[0], 'select 0');
    expect(dropped).toMatchObject({ accuracy: 0.5, verdicts: { Passed: 1, WrongTables: 1 } });
    expect(await evaluated('select 0', 'select 0')).toMatchObject({ accuracy: 0 });
    const { body } = await fixture.root.get('/svc/api/notices');
    expect(body.items).toMatchObject([
      {
        kind: 'AccuracyDropped',
        subjectKind: 'EvaluationSchedule',
        subjectId: fixture.projectId,
        text: expect.stringMatching(/found 50 % of the answers right; 80 % are wanted/),
      },
    ]);
    expect(await scheduleNow()).toMatchObject({
      isBelow: true,
      lastRun: { id: await lastRunId(), state: 'Completed', accuracy: 0 },
    });

    await evaluated(...sqls);
    await evaluated(...sqls);
    expect(await noticeKinds()).toEqual(['AccuracyDropped', 'AccuracyRecovered']);
    expect(await scheduleNow()).toMatchObject({ isBelow: false });
  });

  test('start one evaluation for each due time: a tick that is requeued by hand starts no second one', async () => {
    await save();
    await provider.script(...sqls.map(writes));
    const { slotAt, jobId } = await fireTick(fixture.svc.database, `evaluation:${fixture.projectId}`);
    await endOfJob(fixture.svc.database, jobId);
    const id = await lastRunId();
    const ended = await until('the end of the evaluation', async () => {
      const { body } = await fixture.root.get(`${runs}/${id}`);
      return body.finishedAt === null ? undefined : body;
    });
    expect(ended).toMatchObject({ state: 'Completed' });
    const name = `The evaluation of ${slotAt.toISOString()} (${id})`;
    expect(await requeueToItsEnd(fixture.svc.database, jobId)).toEqual([
      `${name} has ended as Completed. No second evaluation is started.`,
    ]);
    expect(await lastRunId()).toBe(id);

    // The state after a process whose job failed after it had answered every question.
    await sql("update svc.eval_runs set state = 'Running', finished_at = null where id = $1", [id]);
    await sql(
      "update svc_jobs.job set state = 'Failed' where id = (select job_id from svc.eval_runs where id = $1)",
      [id],
    );
    expect(await requeueToItsEnd(fixture.svc.database, jobId)).toEqual([]);
    await until('the end of the evaluation that continues', async () => {
      const { body } = await fixture.root.get(`${runs}/${id}`);
      return body.state === 'Completed' ? true : undefined;
    });
    expect(await lastRunId()).toBe(id);
  });

  test('send no notice for an evaluation that a user starts or that stops before its end', async () => {
    await save({ maxTokens: 10 });
    expect(await evaluated('select 0')).toMatchObject({ state: 'Stopped', doneCount: 0 });
    await save();
    await provider.script(writes('select 0'), writes('select 0'));
    const { body } = await fixture.root.post(runs, { projectId: fixture.projectId });
    await until('the end', async () => {
      const read = (await fixture.root.get(`${runs}/${body.id}`)).body;
      return read.finishedAt === null ? undefined : read;
    });
    expect(body.minAccuracy).toBeNull();
    expect(await noticeKinds()).toEqual([]);
  });

  test('do not start without a model, with a spent budget, during another evaluation, or without examples', async () => {
    const { root, projectId } = fixture;
    await save();
    const limits = (monthlyTokens: number | null) =>
      root.put('/svc/api/admin-settings', { llmLimits: { monthlyTokens } });
    expect((await limits(1)).status).toBe(200);
    expect(await skipped()).toMatchObject({ reason: 'BudgetSpent', at: expect.any(String) });
    await limits(null);

    await sql('update svc.eval_schedules set last_skipped_at = null');
    const before = await lastRunId();
    await provider.script(writes('select pg_sleep(20)'));
    await makeDue();
    await until('a run', async () => ((await lastRunId()) === before ? undefined : true));
    expect(await skipped()).toMatchObject({ reason: 'StillRunning' });
    expect((await root.post(`${runs}/${await lastRunId()}/cancel`, undefined)).status).toBe(204);

    await sql('update svc.eval_schedules set last_skipped_at = null');
    await sql('update svc.golden_examples set is_active = false where project_id = $1', [projectId]);
    expect(await skipped()).toMatchObject({ reason: 'NoExamples' });
    await sql('update svc.golden_examples set is_active = true where project_id = $1', [projectId]);
    expect(await noticeKinds()).toEqual([]);
  });

  test('are paused when their owner is no longer an Admin, with one notice, until an Admin takes over', async () => {
    const other = await addUser(fixture.svc, 'leaving-admin', ['Admin']);
    const saved = await save({}, await signIn(fixture.svc, other));
    expect(saved.ownerName).toBe('leaving-admin');
    await sql('update svc.users set is_enabled = false where user_name = $1', ['leaving-admin']);
    const before = await lastRunId();
    await makeDue();
    expect(
      await until('the pause', async () => {
        const now = await scheduleNow();
        return now.isPaused ? now : undefined;
      }),
    ).toMatchObject({ pauseReason: 'OwnerGone', schedule: { nextTimes: [] } });
    expect(await lastRunId()).toBe(before);
    expect(await noticeKinds()).toEqual(['EvaluationPaused']);
    expect(await sql('select key from svc_jobs.schedule where key like $1', ['evaluation:%'])).toEqual([]);
    expect(await save()).toMatchObject({ isPaused: false, pauseReason: null });
    expect(await evaluated(...sqls)).toMatchObject({ accuracy: 1 });
  });

  test('do not run while they are paused, and end when they are deleted', async () => {
    const ticks = () => sql('select key from svc_jobs.schedule where key like $1', ['evaluation:%']);
    expect(await save({ isPaused: true })).toMatchObject({ isPaused: true, schedule: { nextTimes: [] } });
    expect(await ticks()).toEqual([]);
    const { version } = await save({ isPaused: false });
    expect(await ticks()).toHaveLength(1);
    const headers = { 'if-match': `"${version - 1}"` };
    expect((await fixture.root.put(path, content(), { headers })).status).toBe(412);
    expect((await fixture.root.delete(`${path}?projectId=${fixture.projectId}`)).status).toBe(204);
    expect(await ticks()).toEqual([]);
    expect((await fixture.root.get(path)).body.items).toEqual([]);
    expect((await fixture.root.delete(`${path}?projectId=${fixture.projectId}`)).status).toBe(404);
  });
});

describe('400, 403 and 404', () => {
  test.each([
    ['an invalid schedule', { cronExpression: 'now and then' }, 400, 'invalid-schedule'],
    ['a schedule with too short intervals', { cronExpression: '* * * * * *' }, 400, 'schedule-too-dense'],
    ['an accuracy above 1', { minAccuracy: 1.01 }, 400, undefined],
    ['too many repeats', { repeats: 6 }, 400, undefined],
    ['a missing project', { projectId: 999_999 }, 404, undefined],
  ])('refuses to save an evaluation schedule: %s', async (_what, change, status, code) => {
    const refused = await fixture.root.put(path, content(change));
    expect(refused.status, refused.text).toBe(status);
    if (code !== undefined) expect(refused.body.code).toBe(code);
  });

  test('refuses every request of a user who is not an Admin with 403', async () => {
    const editor = await signIn(fixture.svc, await addUser(fixture.svc, 'an-editor', ['Editor']));
    const answers = await Promise.all([
      editor.get(path),
      editor.put(path, content()),
      editor.delete(`${path}?projectId=${fixture.projectId}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});
