import { createJobs } from '@svc/jobs';
import { signIn } from '@svc/testkit/people/people.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../platform/db/index.ts';
import { sweepAnswers } from './store.ts';
import { type AskFixture, askPath, type Client, startAskFixture, writes } from './testing/ask-fixture.ts';

let fixture: AskFixture;
beforeAll(async () => {
  fixture = await startAskFixture();
});
afterAll(async () => fixture?.close());

describe('an answer', () => {
  test('belongs to its requester: other users get 404, and so does a requester who lost the project', async () => {
    await fixture.provider.script(writes('select 1 as one'));
    const asker = await fixture.person('asker', 'Viewer');
    const place = await fixture.converse(asker);
    const asked = await asker.post(`${place}/questions`, { question: 'One?' });
    const one = `${askPath}/answers/${asked.body.id}`;
    await fixture.ended(asked.body.id, asker);
    const calls = (client: Client) =>
      Promise.all([
        client.get(place),
        client.get(one),
        client.post(`${place}/questions`, { question: 'Mine?' }),
        client.post(`${one}/run`, undefined),
        client.post(`${one}/cancel`, undefined),
        client.post(`${one}/feedback`, { verdict: 'Right' }),
        client.delete(place),
      ]);
    const statuses = async (client: Client) => (await calls(client)).map(({ status }) => status);
    expect(await statuses(fixture.root)).toEqual(Array(7).fill(404));
    const listed = async (client: Client) =>
      (await client.get(`${askPath}/conversations?pageSize=100`)).body.items.map(
        ({ id }: { id: number }) => id,
      );
    const id = Number(place.split('/').at(-1));
    expect([await listed(asker), await listed(fixture.root)].map((ids) => ids.includes(id))).toEqual([
      true,
      false,
    ]);
    await fixture.svc.database.query(`update svc.projects set access_mode = 'Restricted' where id = $1`, [
      fixture.projectId,
    ]);
    expect(await statuses(asker)).toEqual(Array(7).fill(404));
    expect(await listed(asker)).toEqual([]);
    await fixture.svc.database.query(`update svc.projects set access_mode = 'Open' where id = $1`, [
      fixture.projectId,
    ]);
  });

  test('can be cancelled once while it is in progress', async () => {
    const place = await fixture.converse();
    await fixture.provider.script(writes('select pg_sleep(30)'));
    const asked = await fixture.root.post(`${place}/questions`, { question: 'Sleep a while?' });
    const one = `${askPath}/answers/${asked.body.id}`;
    const early = await fixture.root.post(`${one}/feedback`, { verdict: 'Right' });
    const run = await fixture.root.post(`${one}/run`, undefined);
    expect([early.body.code, run.body.code]).toEqual(['answer-not-ended', 'answer-not-runnable']);
    expect((await fixture.root.post(`${one}/cancel`, undefined)).status).toBe(204);
    const again = await fixture.root.post(`${one}/cancel`, undefined);
    expect([again.status, again.body.code]).toEqual([409, 'answer-ended']);
    expect((await fixture.root.get(one)).body).toMatchObject({ state: 'Cancelled', sql: null });
    expect((await fixture.root.delete(place)).status).toBe(204);
    expect((await fixture.root.get(one)).status).toBe(404);
  });

  test('that is cancelled ends the request to the provider, from any process', async () => {
    const llmConnection = {
      provider: 'OpenAiCompatible',
      endpoint: `${fixture.provider.origin}/v1`,
      model: 'silent',
    };
    await fixture.root.put('/svc/api/admin-settings', { llmConnection });
    const replica = await fixture.svc.replica({ 'Svc:Jobs:Workers': 0 });
    const silent = async () =>
      (await fixture.provider.seen())
        .filter(({ body }) => body['model'] === 'silent')
        .map(({ isClosed }) => isClosed);
    const place = await fixture.converse();
    for (const [at, client] of [fixture.root, await signIn(replica, 'root')].entries()) {
      const asked = await fixture.root.post(`${place}/questions`, { question: 'Will you say something?' });
      await until('the request', async () => ((await silent()).length > at ? true : undefined));
      expect((await silent())[at]).toBe(false);
      expect((await client.post(`${askPath}/answers/${asked.body.id}/cancel`, undefined)).status).toBe(204);
      await until('its end', async () => ((await silent())[at] ? true : undefined));
    }
    await fixture.root.put('/svc/api/admin-settings', { llmConnection: null });
    await replica.close();
    const { rows } = await fixture.svc.database.query(
      `select outcome, is_estimated as "isEstimated" from svc.llm_calls where model = 'silent'`,
    );
    expect(rows).toEqual(Array(2).fill({ outcome: 'Cancelled', isEstimated: true }));
  });

  test('ends with its job when the job is cancelled in the dashboard', async () => {
    await fixture.provider.script(writes('select pg_sleep(60)'));
    const place = await fixture.converse();
    const asked = await fixture.root.post(`${place}/questions`, { question: 'Sleep for an operator?' });
    const one = `${askPath}/answers/${asked.body.id}`;
    await until('the work on it', async () =>
      (await fixture.root.get(one)).body.stage === 'Running' ? true : undefined,
    );
    const jobs = createJobs({ pool: fixture.svc.database });
    expect(await jobs.cancel(jobs.executor, asked.body.jobId)).toBe('Requested');
    expect(await fixture.ended(asked.body.id)).toMatchObject({ state: 'Cancelled', rows: null });
  });

  test('of an AI client is deleted after 90 days, and its feedback remains', async () => {
    const { database } = fixture.svc;
    const { rows } = await database.query(
      `with talk as (insert into svc.conversations (project_id, owner_key, created_time)
         values ($1, 'client:key 7', now() - interval '91 days') returning id),
       asked as (insert into svc.answers (conversation_id, question, is_run, state, finished_at)
         select id, 'Old?', true, 'Answered', now() from talk returning id)
       insert into svc.answer_feedback (answer_id, project_id, question, verdict)
       select id, $1, 'Old?', 'Right' from asked returning answer_id as "answerId"`,
      [fixture.projectId],
    );
    await sweepAnswers(createDatabase(database));
    const answers = await database.query('select from svc.answers where id = $1', [rows[0].answerId]);
    const feedback = await database.query(
      `select answer_id from svc.answer_feedback where question = 'Old?'`,
    );
    expect([answers.rowCount, feedback.rows]).toEqual([0, [{ answer_id: null }]]);
  });

  test('remains open only while its job exists', async () => {
    const { database } = fixture.svc;
    const place = await fixture.converse();
    const sleep = writes('select pg_sleep(60)');
    await fixture.provider.script(sleep, sleep, sleep);
    const asked: number[] = [];
    for (const question of ['One, slowly', 'Two, slowly', 'Three, slowly'])
      asked.push((await fixture.root.post(`${place}/questions`, { question })).body.id);
    expect((await fixture.root.post(`${place}/questions`, { question: 'Four' })).status).toBe(429);
    // A long wait does not end a question whose job has not started.
    await database.query(`update svc.answers set asked_at = asked_at - interval '1 hour', lease_until = now()
      - interval '1 hour' where finished_at is null`);
    await sweepAnswers(createDatabase(database));
    expect((await fixture.root.post(`${place}/questions`, { question: 'Four' })).status).toBe(429);
    await database.query(`update svc.answers set job_id = gen_random_uuid() where id = $1`, [asked[0]]);
    await fixture.provider.script(writes('select 4 as four'));
    const fourth = await fixture.root.post(`${place}/questions`, { question: 'Four' });
    expect(fourth.status).toBe(201);
    expect(await fixture.ended(asked[0] ?? 0)).toMatchObject({
      state: 'Failed',
      failure: { code: 'Interrupted' },
    });
    for (const id of [...asked.slice(1), fourth.body.id])
      await fixture.root.post(`${askPath}/answers/${id}/cancel`, undefined);
  });

  test('occupies one of three simultaneous questions of its requester, and a fourth gets 429', async () => {
    const place = await fixture.converse();
    const sleep = writes('select pg_sleep(60)');
    await fixture.provider.script(sleep, sleep, sleep);
    const asked: number[] = [];
    for (const question of ['One, slowly', 'Two, slowly', 'Three, slowly'])
      asked.push((await fixture.root.post(`${place}/questions`, { question })).body.id);
    const fourth = await fixture.root.post(`${place}/questions`, { question: 'Four' });
    expect([fourth.status, fourth.body.code]).toEqual([429, 'too-many-questions']);
    expect(fourth.headers.get('retry-after')).toBe('5');
    for (const id of asked) await fixture.root.post(`${askPath}/answers/${id}/cancel`, undefined);
  });

  test('has the last verdict of its requester', async () => {
    await fixture.provider.script(writes('select 3 as three'));
    const answer = await fixture.ask('Three?');
    const say = (body: object) => fixture.root.post(`${askPath}/answers/${answer.id}/feedback`, body);
    expect((await say({ verdict: 'Right' })).status).toBe(204);
    expect((await say({ verdict: 'Wrong', comment: ' No ', sql: 'select 4' })).status).toBe(204);
    expect((await fixture.root.get(`${askPath}/answers/${answer.id}`)).body.feedback).toBe('Wrong');
    const { rows } = await fixture.svc.database.query(
      'select verdict, comment, right_sql, sql, question from svc.answer_feedback where answer_id = $1',
      [answer.id],
    );
    expect(rows).toEqual([
      {
        verdict: 'Wrong',
        comment: 'No',
        right_sql: 'select 4',
        sql: 'select 3 as three',
        question: 'Three?',
      },
    ]);
  });
});
