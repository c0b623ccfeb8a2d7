import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const runs = '/svc/api/eval/runs';
const golden = '/svc/api/eval/golden';
let provider: LlmProviderProcess;
let fixture: RunFixture;

/** Questions with correct statements, and with plausible but wrong statements. */
const questions = [
  {
    question: 'How many orders are there?',
    sql: 'select count(*) as n from orders',
    wrong: [
      'select count(*) from orders where total > 1',
      'select count(distinct total) + 1 from orders',
      'select 2',
    ],
  },
  {
    question: 'What is the total of all orders?',
    sql: 'select sum(total) from orders',
    wrong: [
      'select max(total) from orders',
      'select avg(total) from orders',
      'select sum(id) * 2 from orders',
    ],
  },
  {
    question: 'Which orders are above one?',
    sql: 'select id from orders where total > 1',
    wrong: [
      'select id from orders',
      'select id from orders where total >= 3',
      'select total * 10 from orders where total > 1',
    ],
  },
  {
    question: 'List the orders, the largest first.',
    sql: 'select id, total from orders order by total desc',
    wrong: [
      'select id, total from orders order by total',
      'select id, total from orders order by total desc limit 2',
    ],
  },
] as const;
const unanswerable = 'What will the weather be?';

const said = (part: Readonly<Record<string, unknown>>) => ({
  kind: 'Sql',
  sql: null,
  assumptions: [],
  question: null,
  options: [],
  missing: null,
  ...part,
});
const writes = (sql: string) => said({ sql });
const mute = said({ kind: 'CannotAnswer', missing: 'I do not know.' });

beforeAll(async () => {
  provider = await startLlmProvider();
  fixture = await startRunFixture({
    config: {
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
      'Svc:LLM:CallsPerMinute': 6_000,
    },
  });
  const { root, sourceId: dataSourceId, projectId } = fixture;
  await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
  for (const { question, sql } of questions)
    await fixture.make(golden, { projectId, dataSourceId, question, sql });
  await fixture.make(golden, { projectId, dataSourceId, question: unanswerable, expected: 'NoAnswer' });
});
afterAll(async () => {
  await fixture?.close();
  await provider?.close();
});

/** Runs an evaluation. The model returns the given answers in the order of the examples. */
async function evaluate(answers: readonly unknown[], body: object = {}) {
  await provider.script(...answers);
  const started = await fixture.root.post(runs, { projectId: fixture.projectId, ...body });
  expect(started.status, JSON.stringify(started.body)).toBe(201);
  const run = await until('the end of an evaluation', async () => {
    const { body: read } = await fixture.root.get(`${runs}/${started.body.id}`);
    return read.finishedAt === null ? undefined : read;
  });
  const results = await fixture.root.get(`${runs}/${run.id}/results?pageSize=100`);
  return {
    run,
    results: results.body.items as { question: string; verdict: string; detail: string | null }[],
  };
}

const oracle = [...questions.map(({ sql }) => writes(sql)), mute];

describe('the evaluation harness', () => {
  test('passes a model with the right statements, and never sends it the expected statement', async () => {
    const { run } = await evaluate(oracle);
    expect(run).toMatchObject({
      state: 'Completed',
      caseCount: 5,
      doneCount: 5,
      accuracy: 1,
      abstentionShare: 1,
      model: 'script',
      verdicts: { Passed: 5, WrongRows: 0, Harness: 0 },
      tokens: 5 * 18,
    });
    expect(run.accuracyLower).toBeCloseTo(0.51, 2);
    const sent = (await provider.seen()).slice(-5).map(({ body }) => JSON.stringify(body));
    for (const [at, { sql, question }] of questions.entries()) {
      expect(sent[at]).toContain(question);
      expect(sent[at]).not.toContain(sql);
    }
  });

  test('passes a model that never answers only in the unanswerable example', async () => {
    const { run, results } = await evaluate(Array(5).fill(mute));
    expect(run).toMatchObject({ accuracy: 0, abstentionShare: 1, verdicts: { Abstained: 4, Passed: 1 } });
    expect(results.find(({ verdict }) => verdict === 'Abstained')?.detail).toBe('I do not know.');
  });

  test.each(['as it is', 'with other rows'])(
    'marks every wrong statement as wrong, over the data %s',
    async (state) => {
      if (state === 'with other rows')
        await fixture.shop.query(`insert into orders select g, 'x', g * 1.5 from generate_series(4, 9) g`);
      const most = Math.max(...questions.map(({ wrong }) => wrong.length));
      let planted = 0;
      let caught = 0;
      for (let at = 0; at < most; at += 1) {
        const answers = questions.map(({ wrong, sql }) => writes(wrong[at] ?? sql));
        const { results } = await evaluate([...answers, writes('select 1')]);
        for (const { question, wrong } of questions) {
          if (wrong[at] === undefined) continue;
          planted += 1;
          if (/^Wrong/.test(results.find((one) => one.question === question)?.verdict ?? '')) caught += 1;
        }
        expect(results.find((one) => one.question === unanswerable)?.verdict).toBe('AnsweredUnanswerable');
      }
      await fixture.shop.query('delete from orders where id > 3');
      expect(planted).toBe(11);
      expect(caught).toBe(planted);
    },
  );

  test('distinguishes wrong tables, statements that were not executed, and examples that fail themselves', async () => {
    await fixture.shop.query('create table parts (id int primary key)');
    await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`, {});
    const drop = writes('drop table orders');
    const { results } = await evaluate([
      writes('select count(*) + 1 from parts'),
      drop,
      drop,
      drop,
      writes(questions[2].sql),
      writes(questions[3].sql),
      mute,
    ]);
    expect(results.map(({ question, verdict }) => [question, verdict]).sort()).toEqual(
      [
        [questions[0].question, 'WrongTables'],
        [questions[1].question, 'NotRun'],
        [questions[2].question, 'Passed'],
        [questions[3].question, 'Passed'],
        [unanswerable, 'Passed'],
      ].sort(),
    );
    await fixture.shop.query('alter table orders rename column total to amount');
    const broken = await evaluate(oracle);
    await fixture.shop.query('alter table orders rename column amount to total');
    expect(broken.run.verdicts).toMatchObject({ Harness: 3 });
  });

  test('compares two runs question by question', async () => {
    const first = await evaluate([writes('select 0'), ...oracle.slice(1)]);
    const second = await evaluate([...oracle.slice(0, 3), writes('select 0'), mute]);
    const { body } = await fixture.root.get(`${runs}/${second.run.id}/compare?with=${first.run.id}`);
    expect(body).toMatchObject({ sameCount: 3, onlyHereCount: 0, onlyThereCount: 0 });
    expect([body.improved.length, body.worsened.length]).toEqual([1, 1]);
  });

  test('repeats each question as often as requested', async () => {
    const ids = (await fixture.root.get(`${golden}?search=above`)).body.items.map(
      ({ id }: { id: number }) => id,
    );
    const right = writes(questions[2].sql);
    const thrice = await evaluate([right, right, right], { goldenIds: ids, repeats: 3 });
    expect(thrice.run).toMatchObject({ caseCount: 3, doneCount: 3, accuracy: 1 });
  });
});

describe('the token limit of an evaluation', () => {
  const budgetOf = async (id: number) =>
    (
      await fixture.svc.database.query(
        `select b.spent::int, b.reserved::int, (select max(c.bound)::int from svc.llm_calls c) as "largestBound"
          from svc.llm_budgets b where b.scope = 'EvalRun' and b.subject_id = $1`,
        [id],
      )
    ).rows[0];
  const stops = {
    state: 'Stopped',
    failure: 'The next call could take more tokens than the evaluation has left.',
  };

  test('is never exceeded: the evaluation stops before a call that could need more than the remaining tokens', async () => {
    const { run: free } = await evaluate(oracle);
    const { largestBound, ...booked } = await budgetOf(free.id);
    expect(booked).toEqual({ spent: 5 * 18, reserved: 0 });
    // Covers any question at first. After the first calls, the remaining tokens cover none.
    const maxTokens = largestBound + 18;
    const { run } = await evaluate([...oracle, ...oracle, ...oracle], { maxTokens, repeats: 5 });
    expect(run).toMatchObject(stops);
    expect(run.doneCount).toBeGreaterThan(0);
    expect(run.tokens).toBe(run.doneCount * 18);
    expect(await budgetOf(run.id)).toMatchObject({ spent: run.tokens, reserved: 0 });
    const asked = (await provider.seen()).length;
    const { run: poor } = await evaluate(oracle, { maxTokens: 20 });
    expect(poor).toMatchObject({ ...stops, doneCount: 0, tokens: 0 });
    expect(await provider.seen()).toHaveLength(asked);
  });
});

describe('an evaluation', () => {
  test('is cancelled once, and a second cancellation gets 409', async () => {
    await provider.script(writes('select pg_sleep(30)'));
    const { body } = await fixture.root.post(runs, { projectId: fixture.projectId });
    expect((await fixture.root.post(`${runs}/${body.id}/cancel`, undefined)).status).toBe(204);
    const again = await fixture.root.post(`${runs}/${body.id}/cancel`, undefined);
    expect([again.status, again.body.code]).toEqual([409, 'eval-run-ended']);
    expect((await fixture.root.get(`${runs}/${body.id}`)).body.state).toBe('Cancelled');
  });

  test('of an archived project is hidden from reads and lists, but can still be cancelled', async () => {
    const { root, projectId, svc } = fixture;
    const setArchived = (isArchived: boolean) =>
      svc.database.query('update svc.projects set archived_at = case when $2 then now() end where id = $1', [
        projectId,
        isArchived,
      ]);
    await provider.script(writes('select pg_sleep(25)'));
    const { body } = await root.post(runs, { projectId });
    // An evaluation that starts after the archival has no examples and ends.
    await until('the statement of the first question', async () => {
      const { rowCount } = await fixture.shop.query(
        `select from pg_stat_activity where state = 'active' and query like $1 and datname = current_database()`,
        ['%pg_sleep(25)%'],
      );
      return rowCount === 1 || undefined;
    });
    await setArchived(true);
    try {
      expect((await root.get(`${runs}/${body.id}`)).status).toBe(404);
      const cancelled = await root.post(`${runs}/${body.id}/cancel`, undefined);
      expect(cancelled.status, cancelled.text).toBe(204);
      const again = await root.post(`${runs}/${body.id}/cancel`, undefined);
      expect([again.status, again.body.code]).toEqual([409, 'eval-run-ended']);
      const listed = (await root.get(`${runs}?pageSize=200`)).body.items as { id: number }[];
      expect(listed.map(({ id }) => id)).not.toContain(body.id);
    } finally {
      await setArchived(false);
    }
    expect((await root.get(`${runs}/${body.id}`)).body.state).toBe('Cancelled');
    expect((await root.post(`${runs}/2000000000/cancel`, undefined)).status).toBe(404);
  });

  test('of all projects shows no question of an archived project, neither as a result nor in a comparison', async () => {
    const { root, projectId, sourceId, svc } = fixture;
    const other = (await fixture.make('/svc/api/projects', { name: 'Archived later' })).id;
    const link = await root.post(`/svc/api/projects/${other}/data-sources`, { dataSourceId: sourceId });
    expect(link.status, link.text).toBe(201);
    const question = 'How many orders does the other project have?';
    const made = await root.post(golden, {
      projectId: other,
      dataSourceId: sourceId,
      question,
      sql: 'select count(*) from orders',
    });
    expect(made.status, made.text).toBe(201);
    const [own] = (await root.get(`${golden}?projectId=${projectId}`)).body.items;
    const goldenIds = [made.body.id, own.id];
    const insert = async (passed: boolean): Promise<number> => {
      const { rows } = await svc.database.query(
        `with run as (insert into svc.eval_runs (golden_ids, repeats, state, finished_at)
            values ($1, 1, 'Completed', now()) returning id)
          insert into svc.eval_results (run_id, golden_id, repeat_no, question, expected, verdict, repairs, input_tokens,
            output_tokens, duration_ms)
          select run.id, g.id, 1, g.question, g.expected, $2, 0, 0, 0, 0 from run, svc.golden_examples g
          where g.id = any($1) returning run_id as "runId"`,
        [goldenIds, passed ? 'Passed' : 'WrongRows'],
      );
      return rows[0].runId;
    };
    const [first, second] = [await insert(true), await insert(false)];
    const read = async () => ({
      results: (await root.get(`${runs}/${first}/results?sort=question`)).body,
      compared: (await root.get(`${runs}/${first}/compare?with=${second}`)).body,
    });
    const before = await read();
    expect(before.results.totalCount).toBe(2);
    expect(before.compared.improved).toEqual(expect.arrayContaining(goldenIds));
    expect((await root.delete(`/svc/api/projects/${other}`)).status).toBe(204);
    const after = await read();
    expect(after.results).toMatchObject({ totalCount: 1, items: [{ goldenExampleId: own.id }] });
    expect(after.compared).toMatchObject({ improved: [own.id], sameCount: 0, onlyHereCount: 0 });
  });

  test('fails if the provider refuses every question for the same reason', async () => {
    const { root } = fixture;
    const connect = (model: string) =>
      root.put('/svc/api/admin-settings', {
        llmConnection: { provider: 'OpenAiCompatible', endpoint: `${provider.origin}/v1`, model },
      });
    expect((await connect('status-401')).status).toBe(200);
    const { run } = await evaluate([]);
    await connect('script');
    expect(run).toMatchObject({ state: 'Failed', doneCount: 0, accuracy: null });
    expect(run.failure).toBe('The provider of the language model refused the key.');
  });

  test('is refused with 400 without golden examples', async () => {
    const refused = await fixture.root.post(runs, { goldenIds: [999_999] });
    expect([refused.status, refused.body.code]).toEqual([400, 'no-golden-examples']);
  });
});

describe('feedback of users about answers', () => {
  test('is listed, and a statement with good feedback becomes an example once', async () => {
    const { root, projectId } = fixture;
    const conversation = await root.post('/svc/api/ask/conversations', { projectId });
    const answerTo = async (question: string, sql: string): Promise<number> => {
      await provider.script(writes(sql));
      const place = `/svc/api/ask/conversations/${conversation.body.id}/questions`;
      const { id } = (await root.post(place, { question })).body;
      await until('an answer', async () =>
        (await root.get(`/svc/api/ask/answers/${id}`)).body.finishedAt === null ? undefined : true,
      );
      return id;
    };
    const say = async (answer: number, body: object) =>
      expect((await root.post(`/svc/api/ask/answers/${answer}/feedback`, body)).status).toBe(204);
    const right = await answerTo('Which is the first order?', 'select min(id) from orders');
    await say(right, { verdict: 'Right', comment: 'Yes' });
    const wrong = await answerTo('Which is the last order?', 'select 1');
    await say(wrong, { verdict: 'Wrong' });
    const candidates = async () =>
      (await root.get(`/svc/api/eval/candidates?projectId=${projectId}`)).body.items as {
        id: number;
        question: string;
        sql: string;
      }[];
    expect((await candidates()).map(({ question }) => question)).toEqual(['Which is the first order?']);
    await say(wrong, { verdict: 'Wrong', sql: 'select max(id) from orders' });
    const both = await candidates();
    expect(both.map(({ sql }) => sql)).toEqual(['select max(id) from orders', 'select min(id) from orders']);
    const feedback = await root.get('/svc/api/eval/feedback?verdict=Wrong');
    expect(feedback.body.items).toMatchObject([
      { question: 'Which is the last order?', sql: 'select 1', rightSql: 'select max(id) from orders' },
    ]);

    const [last, first] = both;
    const act = (id: number | undefined, what: string, body?: object) =>
      root.post(`/svc/api/eval/candidates/${id}/${what}`, body);
    const refused = await act(last?.id, 'promote', { sql: 'select nothing from orders' });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid-golden-example']);
    const made = await act(last?.id, 'promote', {});
    expect([made.status, made.body]).toMatchObject([
      201,
      { question: 'Which is the last order?', sql: 'select max(id) from orders', projectId },
    ]);
    expect((await act(first?.id, 'dismiss')).status).toBe(204);
    for (const [id, what] of [
      [last?.id, 'promote'],
      [first?.id, 'dismiss'],
    ] as const) {
      const again = await act(id, what, what === 'promote' ? {} : undefined);
      expect([again.status, again.body.code]).toEqual([409, 'candidate-decided']);
    }
    expect(await candidates()).toEqual([]);
    const promoted = await root.get('/svc/api/eval/candidates?state=Promoted');
    expect(promoted.body.items).toMatchObject([{ goldenExampleId: made.body.id, state: 'Promoted' }]);
  });
});
