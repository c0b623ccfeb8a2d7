import type { Answer } from '@svc/contract';
import { createJobs } from '@svc/jobs';
import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { signIn } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../platform/db/index.ts';
import { sweepAnswers } from './store.ts';

const path = '/svc/api/ask';
let provider: LlmProviderProcess;
let fixture: RunFixture;
let bare: RunFixture;

beforeAll(async () => {
  provider = await startLlmProvider();
  fixture = await startRunFixture({
    config: {
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
      'Svc:LLM:ApiKey': 'sk-planted-key-0123456789abcdef',
      'Svc:LLM:InputPrice': '2.5',
      'Svc:LLM:OutputPrice': 10,
    },
  });
  bare = await startRunFixture();
  for (const { root, sourceId } of [fixture, bare])
    await root.post(`/svc/api/data-sources/${sourceId}/refresh-metadata`, {});
});
afterAll(async () => {
  await bare?.close();
  await fixture?.close();
  await provider?.close();
});

const said = (part: Readonly<Record<string, unknown>>) => ({
  kind: 'Sql',
  sql: null,
  assumptions: [],
  question: null,
  options: [],
  missing: null,
  ...part,
});
const writes = (sql: string, more: Readonly<Record<string, unknown>> = {}) => said({ sql, ...more });

type Client = RunFixture['root'];
const converse = async (client: Client = fixture.root, projectId = fixture.projectId): Promise<string> => {
  const made = await client.post(`${path}/conversations`, { projectId });
  expect(made.status).toBe(201);
  return `${path}/conversations/${made.body.id}`;
};

/** Waits until an answer has ended and returns it. */
const ended = (id: number, client: Client = fixture.root) =>
  until('the end of an answer', async () => {
    const { body } = await client.get(`${path}/answers/${id}`);
    return body.finishedAt === null ? undefined : body;
  });

/** Asks a question and waits for its answer. */
async function ask(question: string, more: Readonly<Record<string, unknown>> = {}, conversation?: string) {
  const place = conversation ?? (await converse());
  const asked = await fixture.root.post(`${place}/questions`, { question, ...more });
  expect(asked.status, JSON.stringify(asked.body)).toBe(201);
  expect(asked.body).toMatchObject({ state: 'Waiting', jobId: expect.any(String) });
  return ended(asked.body.id);
}

const seenData = async (): Promise<{ name: string; text: string }[]> => {
  const { body } = (await provider.seen()).at(-1) ?? { body: {} };
  const [, message] = (body as { messages: { content: string | { text: string }[] }[] }).messages;
  const content = message?.content ?? '';
  return JSON.parse(typeof content === 'string' ? content : (content[0]?.text ?? ''));
};

describe('a question', () => {
  test('is answered by a statement that passed the gates, with masked rows', async () => {
    await provider.script(
      writes('select id, email from orders order by id', { assumptions: ['All orders.'] }),
    );
    const answer = await ask('Which orders are there?');
    expect(answer).toMatchObject({
      state: 'Answered',
      basis: 'Model',
      confidence: 'Medium',
      assumptions: ['All orders.'],

      sql: 'select id, email from orders order by id',
      advisories: [],
      truncatedBy: null,
      failure: null,
      tokens: { input: 11, output: 7, isEstimated: false },
      cost: 0.000098,
      durationMs: expect.any(Number),
    });
    expect(
      answer.columns.map(({ name, isMasked, maskedReason }: Answer['columns'][number]) => [
        name,
        isMasked,
        maskedReason,
      ]),
    ).toEqual([
      ['id', false, undefined],
      ['email', true, expect.stringMatching(/\w+ \w+/)],
    ]);
    expect(answer.rows).toHaveLength(3);
    expect(JSON.stringify(answer.rows)).not.toContain('c1@example.org');
    const { rows } = await fixture.svc.database.query('select rows_sealed from svc.answers where id = $1', [
      answer.id,
    ]);
    expect(rows[0].rows_sealed).toMatch(/^v1\./);
  });

  test('is sent to the model with names and without row values', async () => {
    await provider.script(writes('select count(*) from orders'));
    await ask('How many orders are there by now?');
    const data = await seenData();
    expect(data.find(({ name }) => name === 'schema')?.text).toContain(
      'public.orders(id integer key, email text masked',
    );
    expect(data.at(-1)).toEqual({ name: 'question', text: 'How many orders are there by now?' });
    expect(JSON.stringify(data)).not.toContain('example.org');
  });

  test('with a checked answer gets the checked statement and is not sent to a model', async () => {
    const golden = { projectId: fixture.projectId, dataSourceId: fixture.sourceId };
    const question = 'What is the total of all orders?';
    await fixture.make('/svc/api/eval/golden', {
      ...golden,
      question,
      sql: 'select sum(total) as total from orders',
    });
    await fixture.make('/svc/api/eval/golden', {
      ...golden,
      question: 'Who will win?',
      expected: 'NoAnswer',
    });
    const asked = (await provider.seen()).length;
    expect(await ask(' what is the TOTAL of all  orders ')).toMatchObject({
      state: 'Answered',
      basis: 'Checked',
      confidence: 'High',
      rows: [['6.00']],
      cost: null,
    });
    expect(await ask('Who will win')).toMatchObject({ state: 'CannotAnswer', basis: 'Checked', sql: null });
    expect(await provider.seen()).toHaveLength(asked);
    await provider.script(writes('select max(total) from orders'));
    const other = await ask('What is the largest total of an order?');
    expect(other.similar).toMatchObject([{ question }]);
  });

  test('is sent with the earlier question of its conversation', async () => {
    const place = await converse();
    await provider.script(writes('select 1 as first'), writes('select 2 as second'));
    await ask('The first thing?', {}, place);
    await ask('And the second?', {}, place);
    const earlier = (await seenData()).find(({ name }) => name === 'earlier');
    expect(JSON.parse(earlier?.text ?? '')).toEqual({
      question: 'The first thing?',
      sql: 'select 1 as first',
    });
    const { body } = await fixture.root.get(place);
    expect(body).toMatchObject({ title: 'The first thing?', answerCount: 2 });
    expect(body.answers.map(({ sql }: { sql: string }) => sql)).toEqual([
      'select 1 as first',
      'select 2 as second',
    ]);
  });

  test('is not executed if the caller requests so, and can be executed later', async () => {
    await provider.script(writes('select id from orders where total = null'));
    const answer = await ask('Which have no total?', { isRun: false });
    expect(answer).toMatchObject({
      state: 'Answered',
      rows: null,
      confidence: 'Low',
      advisories: ['It compares with NULL, which no value equals: `is null` may be meant.'],
    });
    const ran = await fixture.root.post(`${path}/answers/${answer.id}/run`, undefined);
    expect([ran.status, ran.body.rows]).toEqual([200, []]);
    await fixture.shop.query('alter table orders rename to bygone');
    const refused = await fixture.root.post(`${path}/answers/${answer.id}/run`, undefined);
    await fixture.shop.query('alter table bygone rename to orders');
    expect([refused.status, refused.body.code]).toEqual([424, 'answer-not-run']);
  });

  test('can get a clarification or no answer, in the words of the model', async () => {
    await provider.script(
      said({ kind: 'Clarify', question: 'Of which year?', options: ['This', 'Last'] }),
      said({ kind: 'CannotAnswer', missing: 'There is no weather.' }),
    );
    expect(await ask('How was it in summer?')).toMatchObject({
      state: 'NeedsClarification',
      clarification: { question: 'Of which year?', options: ['This', 'Last'] },
    });
    expect(await ask('How is the weather?')).toMatchObject({
      state: 'CannotAnswer',
      missing: 'There is no weather.',
    });
  });
});

describe('a statement that a gate or the engine refuses', () => {
  test('is repaired by the model, which receives the refusal', async () => {
    await provider.script(
      writes('select nothing_like_it from orders'),
      writes('select 1 / (id - id) from orders'),
      writes('select id from orders order by id'),
    );
    const answer = await ask('Mend this, please');
    expect(answer).toMatchObject({ state: 'Answered', confidence: 'Low', tokens: { input: 33, output: 21 } });
    expect(answer.cost).toBe(0.000294);
    expect(answer.rows).toHaveLength(3);
    const refusal = (await seenData()).find(({ name }) => name === 'refusal');
    expect(refusal?.text).toContain('division by zero');
  });

  test.each([
    ['a statement that writes', 'delete from orders'],
    ['a statement that hides a write', 'with gone as (delete from orders returning id) select * from gone'],
    ['two statements', 'select 1; drop table orders'],
    ['a function that writes', "select setval('orders_id_seq', 1)"],
  ])('%s is refused after two repair attempts, and changes nothing', async (_what, sql) => {
    await provider.script(writes(sql), writes(sql), writes(sql));
    expect(await ask('Change something')).toMatchObject({ state: 'Refused', rows: null });
    expect((await fixture.shop.query('select id from orders')).rowCount).toBe(3);
  });
});

describe('questions without a statement from a model', () => {
  test('a question with a checked answer is answered, and any other question gets 409', async () => {
    const golden = { projectId: bare.projectId, dataSourceId: bare.sourceId };
    await bare.make('/svc/api/eval/golden', {
      ...golden,
      question: 'How many?',
      sql: 'select count(*) as n from orders',
    });
    const place = await converse(bare.root, bare.projectId);
    const checkedQuestion = await bare.root.post(`${place}/questions`, { question: 'How many?' });
    expect(await ended(checkedQuestion.body.id, bare.root)).toMatchObject({
      state: 'Answered',
      rows: [['3']],
    });
    const other = await bare.root.post(`${place}/questions`, { question: 'How few?' });
    expect([other.status, other.body.code]).toEqual([409, 'llm-not-configured']);
  });

  test('a response of the provider without JSON ends the answer as Failed with the code BadAnswer', async () => {
    await provider.script('no JSON', 'none either');
    const answer = await ask('Will it fail?');
    expect(answer).toMatchObject({
      state: 'Failed',
      failure: { code: 'BadAnswer' },
      tokens: { input: 22, output: 14 },
    });
  });
});

describe('an answer', () => {
  test('belongs to its requester: other users get 404, and so does a requester who lost the project', async () => {
    await provider.script(writes('select 1 as one'));
    const asker = await fixture.person('asker', 'Viewer');
    const place = await converse(asker);
    const asked = await asker.post(`${place}/questions`, { question: 'One?' });
    const one = `${path}/answers/${asked.body.id}`;
    await ended(asked.body.id, asker);
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
      (await client.get(`${path}/conversations?pageSize=100`)).body.items.map(({ id }: { id: number }) => id);
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
    const place = await converse();
    await provider.script(writes('select pg_sleep(30)'));
    const asked = await fixture.root.post(`${place}/questions`, { question: 'Sleep a while?' });
    const one = `${path}/answers/${asked.body.id}`;
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
      endpoint: `${provider.origin}/v1`,
      model: 'silent',
    };
    await fixture.root.put('/svc/api/admin-settings', { llmConnection });
    const replica = await fixture.svc.replica({ 'Svc:Jobs:Workers': 0 });
    const silent = async () =>
      (await provider.seen())
        .filter(({ body }) => body['model'] === 'silent')
        .map(({ isClosed }) => isClosed);
    const place = await converse();
    for (const [at, client] of [fixture.root, await signIn(replica, 'root')].entries()) {
      const asked = await fixture.root.post(`${place}/questions`, { question: 'Will you say something?' });
      await until('the request', async () => ((await silent()).length > at ? true : undefined));
      expect((await silent())[at]).toBe(false);
      expect((await client.post(`${path}/answers/${asked.body.id}/cancel`, undefined)).status).toBe(204);
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
    await provider.script(writes('select pg_sleep(60)'));
    const place = await converse();
    const asked = await fixture.root.post(`${place}/questions`, { question: 'Sleep for an operator?' });
    const one = `${path}/answers/${asked.body.id}`;
    await until('the work on it', async () =>
      (await fixture.root.get(one)).body.stage === 'Running' ? true : undefined,
    );
    const jobs = createJobs({ pool: fixture.svc.database });
    expect(await jobs.cancel(jobs.executor, asked.body.jobId)).toBe('Requested');
    expect(await ended(asked.body.id)).toMatchObject({ state: 'Cancelled', rows: null });
  });

  test('old questions of AI clients are deleted, and their feedback remains', async () => {
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
    const left = await database.query('select from svc.answers where id = $1', [rows[0].answerId]);
    const said = await database.query(`select answer_id from svc.answer_feedback where question = 'Old?'`);
    expect([left.rowCount, said.rows]).toEqual([0, [{ answer_id: null }]]);
  });

  test('remains open only while its job exists', async () => {
    const { database } = fixture.svc;
    const place = await converse();
    const sleep = writes('select pg_sleep(60)');
    await provider.script(sleep, sleep, sleep);
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
    await provider.script(writes('select 4 as four'));
    const fourth = await fixture.root.post(`${place}/questions`, { question: 'Four' });
    expect(fourth.status).toBe(201);
    expect(await ended(asked[0] ?? 0)).toMatchObject({ state: 'Failed', failure: { code: 'Interrupted' } });
    for (const id of [...asked.slice(1), fourth.body.id])
      await fixture.root.post(`${path}/answers/${id}/cancel`, undefined);
  });

  test('a fourth simultaneous question gets 429', async () => {
    const place = await converse();
    const sleep = writes('select pg_sleep(60)');
    await provider.script(sleep, sleep, sleep);
    const asked: number[] = [];
    for (const question of ['One, slowly', 'Two, slowly', 'Three, slowly'])
      asked.push((await fixture.root.post(`${place}/questions`, { question })).body.id);
    const fourth = await fixture.root.post(`${place}/questions`, { question: 'Four' });
    expect([fourth.status, fourth.body.code]).toEqual([429, 'too-many-questions']);
    expect(fourth.headers.get('retry-after')).toBe('5');
    for (const id of asked) await fixture.root.post(`${path}/answers/${id}/cancel`, undefined);
  });

  test('has the last verdict of its requester', async () => {
    await provider.script(writes('select 3 as three'));
    const answer = await ask('Three?');
    const say = (body: object) => fixture.root.post(`${path}/answers/${answer.id}/feedback`, body);
    expect((await say({ verdict: 'Right' })).status).toBe(204);
    expect((await say({ verdict: 'Wrong', comment: ' No ', sql: 'select 4' })).status).toBe(204);
    expect((await fixture.root.get(`${path}/answers/${answer.id}`)).body.feedback).toBe('Wrong');
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

describe('invalid questions', () => {
  test.each([
    ['a blank question', { question: '  ' }, 400, 'invalid-input'],
    ['a text that is too long', { question: 'x'.repeat(4001) }, 400, 'invalid-input'],
    [
      'a data source of another project',
      { question: 'What?', dataSourceId: 999_999 },
      400,
      'invalid-question',
    ],
    ['an unknown member', { question: 'What?', sql: 'select 1' }, 400, 'invalid-input'],
  ])('refuses %s with 400', async (_what, body, status, code) => {
    const answer = await fixture.root.post(`${await converse()}/questions`, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('refuses a data source without SQL, and ignores it for a question that names no source', async () => {
    const connection = { baseUrl: 'https://api.example.com/v1', endpoints: ['/orders'] };
    const api = await fixture.root.post('/svc/api/data-sources', { name: 'API', engine: 'Rest', connection });
    expect(api.status, api.text).toBe(201);
    const links = `/svc/api/projects/${fixture.projectId}/data-sources`;
    await fixture.root.post(links, { dataSourceId: api.body.id });
    const question = { question: 'What is in the API?', dataSourceId: api.body.id };
    const refused = await fixture.root.post(`${await converse()}/questions`, question);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid-question']);
    await provider.script(writes('select id from orders'));
    expect(await ask('Which orders are there beside the API?')).toMatchObject({ state: 'Answered' });
    await fixture.root.delete(`${links}/${api.body.id}`);
  });

  test('returns 404 for a conversation in an unknown project', async () => {
    expect((await fixture.root.post(`${path}/conversations`, { projectId: 999_999 })).status).toBe(404);
  });

  test('a question to a data source without a known schema ends as CannotAnswer', async () => {
    const { rows } = await fixture.svc.database.query(
      `select data_source_id as id, snapshot from svc.data_source_metadata where data_source_id = $1`,
      [fixture.sourceId],
    );
    expect(rows).toHaveLength(1);
    const empty = JSON.stringify({ ...rows[0].snapshot, tables: [] });
    const put = (snapshot: string) =>
      fixture.svc.database.query(
        'update svc.data_source_metadata set snapshot = $2 where data_source_id = $1',
        [fixture.sourceId, snapshot],
      );
    await put(empty);
    const answer = await ask('What is there?');
    await put(JSON.stringify(rows[0].snapshot));
    expect(answer).toMatchObject({ state: 'CannotAnswer', failure: { code: 'NoSchema' } });
  });
});
