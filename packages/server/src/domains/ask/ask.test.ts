import type { Answer } from '@svc/contract';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AskFixture,
  askPath,
  modelAnswer,
  startAskFixture,
  startConversation,
  waitForEnd,
  writes,
} from './testing/ask-fixture.ts';

let fixture: AskFixture;
/** A service without a language model. */
let bare: RunFixture;

beforeAll(async () => {
  fixture = await startAskFixture();
  bare = await startRunFixture();
  await bare.root.post(`/svc/api/data-sources/${bare.sourceId}/refresh-metadata`, {});
});
afterAll(async () => {
  await bare?.close();
  await fixture?.close();
});

describe('a question', () => {
  test('is answered by a statement that passed the gates, with masked rows', async () => {
    await fixture.provider.script(
      writes('select id, email from orders order by id', { assumptions: ['All orders.'] }),
    );
    const answer = await fixture.ask('Which orders are there?');
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
    await fixture.provider.script(writes('select count(*) from orders'));
    await fixture.ask('How many orders are there by now?');
    const data = await fixture.sentData();
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
    const requestCount = (await fixture.provider.seen()).length;
    expect(await fixture.ask(' what is the TOTAL of all  orders ')).toMatchObject({
      state: 'Answered',
      basis: 'Checked',
      confidence: 'High',
      rows: [['6.00']],
      cost: null,
    });
    expect(await fixture.ask('Who will win')).toMatchObject({
      state: 'CannotAnswer',
      basis: 'Checked',
      sql: null,
    });
    expect(await fixture.provider.seen()).toHaveLength(requestCount);
    await fixture.provider.script(writes('select max(total) from orders'));
    const other = await fixture.ask('What is the largest total of an order?');
    expect(other.similar).toMatchObject([{ question }]);
  });

  test('is sent with the earlier question of its conversation', async () => {
    const place = await fixture.converse();
    await fixture.provider.script(writes('select 1 as first'), writes('select 2 as second'));
    await fixture.ask('The first thing?', {}, place);
    await fixture.ask('And the second?', {}, place);
    const earlier = (await fixture.sentData()).find(({ name }) => name === 'earlier');
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
    await fixture.provider.script(writes('select id from orders where total = null'));
    const answer = await fixture.ask('Which have no total?', { isRun: false });
    expect(answer).toMatchObject({
      state: 'Answered',
      rows: null,
      confidence: 'Low',
      advisories: ['It compares with NULL, which no value equals: `is null` may be meant.'],
    });
    const rerun = await fixture.root.post(`${askPath}/answers/${answer.id}/run`, undefined);
    expect([rerun.status, rerun.body.rows]).toEqual([200, []]);
    await fixture.shop.query('alter table orders rename to bygone');
    const refused = await fixture.root.post(`${askPath}/answers/${answer.id}/run`, undefined);
    await fixture.shop.query('alter table bygone rename to orders');
    expect([refused.status, refused.body.code]).toEqual([424, 'answer-not-run']);
  });

  test('can get a clarification or no answer, in the words of the model', async () => {
    await fixture.provider.script(
      modelAnswer({ kind: 'Clarify', question: 'Of which year?', options: ['This', 'Last'] }),
      modelAnswer({ kind: 'CannotAnswer', missing: 'There is no weather.' }),
    );
    expect(await fixture.ask('How was it in summer?')).toMatchObject({
      state: 'NeedsClarification',
      clarification: { question: 'Of which year?', options: ['This', 'Last'] },
    });
    expect(await fixture.ask('How is the weather?')).toMatchObject({
      state: 'CannotAnswer',
      missing: 'There is no weather.',
    });
  });
});

describe('a statement that a gate or the engine refuses', () => {
  test('is repaired by the model, which receives the refusal', async () => {
    await fixture.provider.script(
      writes('select nothing_like_it from orders'),
      writes('select 1 / (id - id) from orders'),
      writes('select id from orders order by id'),
    );
    const answer = await fixture.ask('Mend this, please');
    expect(answer).toMatchObject({ state: 'Answered', confidence: 'Low', tokens: { input: 33, output: 21 } });
    expect(answer.cost).toBe(0.000294);
    expect(answer.rows).toHaveLength(3);
    const refusal = (await fixture.sentData()).find(({ name }) => name === 'refusal');
    expect(refusal?.text).toContain('division by zero');
  });

  test.each([
    ['a statement that writes', 'delete from orders'],
    ['a statement that hides a write', 'with gone as (delete from orders returning id) select * from gone'],
    ['two statements', 'select 1; drop table orders'],
    ['a function that writes', "select setval('orders_id_seq', 1)"],
  ])('%s is refused after two repair attempts, and changes nothing', async (_what, sql) => {
    await fixture.provider.script(writes(sql), writes(sql), writes(sql));
    expect(await fixture.ask('Change something')).toMatchObject({ state: 'Refused', rows: null });
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
    const place = await startConversation(bare.root, bare.projectId);
    const checkedQuestion = await bare.root.post(`${place}/questions`, { question: 'How many?' });
    expect(await waitForEnd(bare.root, checkedQuestion.body.id)).toMatchObject({
      state: 'Answered',
      rows: [['3']],
    });
    const other = await bare.root.post(`${place}/questions`, { question: 'How few?' });
    expect([other.status, other.body.code]).toEqual([409, 'llm-not-configured']);
  });

  test('a response of the provider without JSON ends the answer as Failed with the code BadAnswer', async () => {
    await fixture.provider.script('no JSON', 'none either');
    const answer = await fixture.ask('Will it fail?');
    expect(answer).toMatchObject({
      state: 'Failed',
      failure: { code: 'BadAnswer' },
      tokens: { input: 22, output: 14 },
    });
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
    const answer = await fixture.root.post(`${await fixture.converse()}/questions`, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('refuses a data source without SQL, and ignores it for a question that names no source', async () => {
    const connection = { baseUrl: 'https://api.example.com/v1', endpoints: ['/orders'] };
    const api = await fixture.root.post('/svc/api/data-sources', { name: 'API', engine: 'Rest', connection });
    expect(api.status, api.text).toBe(201);
    const links = `/svc/api/projects/${fixture.projectId}/data-sources`;
    await fixture.root.post(links, { dataSourceId: api.body.id });
    const question = { question: 'What is in the API?', dataSourceId: api.body.id };
    const refused = await fixture.root.post(`${await fixture.converse()}/questions`, question);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid-question']);
    await fixture.provider.script(writes('select id from orders'));
    expect(await fixture.ask('Which orders are there beside the API?')).toMatchObject({ state: 'Answered' });
    await fixture.root.delete(`${links}/${api.body.id}`);
  });

  test('returns 404 for a conversation in an unknown project', async () => {
    expect((await fixture.root.post(`${askPath}/conversations`, { projectId: 999_999 })).status).toBe(404);
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
    const answer = await fixture.ask('What is there?');
    await put(JSON.stringify(rows[0].snapshot));
    expect(answer).toMatchObject({ state: 'CannotAnswer', failure: { code: 'NoSchema' } });
  });
});
