import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  abstains,
  correctAnswers,
  type EvaluationFixture,
  goldenPath,
  questions,
  runsPath,
  startEvaluationFixture,
  unanswerable,
  writes,
} from './testing/evaluation-fixture.ts';

let fixture: EvaluationFixture;
beforeAll(async () => {
  fixture = await startEvaluationFixture();
});
afterAll(async () => fixture?.close());

describe('the evaluation harness', () => {
  test('passes a model with the right statements, and never sends it the expected statement', async () => {
    const { run } = await fixture.evaluate(correctAnswers);
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
    const sent = (await fixture.provider.seen()).slice(-5).map(({ body }) => JSON.stringify(body));
    for (const [at, { sql, question }] of questions.entries()) {
      expect(sent[at]).toContain(question);
      expect(sent[at]).not.toContain(sql);
    }
  });

  test('passes a model that never answers only in the unanswerable example', async () => {
    const { run, results } = await fixture.evaluate(Array(5).fill(abstains));
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
        const { results } = await fixture.evaluate([...answers, writes('select 1')]);
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
    const { results } = await fixture.evaluate([
      writes('select count(*) + 1 from parts'),
      drop,
      drop,
      drop,
      writes(questions[2].sql),
      writes(questions[3].sql),
      abstains,
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
    const broken = await fixture.evaluate(correctAnswers);
    await fixture.shop.query('alter table orders rename column amount to total');
    expect(broken.run.verdicts).toMatchObject({ Harness: 3 });
  });

  test('compares two runs question by question', async () => {
    const first = await fixture.evaluate([writes('select 0'), ...correctAnswers.slice(1)]);
    const second = await fixture.evaluate([...correctAnswers.slice(0, 3), writes('select 0'), abstains]);
    const { body } = await fixture.root.get(`${runsPath}/${second.run.id}/compare?with=${first.run.id}`);
    expect(body).toMatchObject({ sameCount: 3, onlyHereCount: 0, onlyThereCount: 0 });
    expect([body.improved.length, body.worsened.length]).toEqual([1, 1]);
  });

  test('repeats each question as often as requested', async () => {
    const ids = (await fixture.root.get(`${goldenPath}?search=above`)).body.items.map(
      ({ id }: { id: number }) => id,
    );
    const right = writes(questions[2].sql);
    const thrice = await fixture.evaluate([right, right, right], { goldenIds: ids, repeats: 3 });
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
    const { run: free } = await fixture.evaluate(correctAnswers);
    const { largestBound, ...booked } = await budgetOf(free.id);
    expect(booked).toEqual({ spent: 5 * 18, reserved: 0 });
    // Covers any question at first. After the first calls, the remaining tokens cover none.
    const maxTokens = largestBound + 18;
    const { run } = await fixture.evaluate([...correctAnswers, ...correctAnswers, ...correctAnswers], {
      maxTokens,
      repeats: 5,
    });
    expect(run).toMatchObject(stops);
    expect(run.doneCount).toBeGreaterThan(0);
    expect(run.tokens).toBe(run.doneCount * 18);
    expect(await budgetOf(run.id)).toMatchObject({ spent: run.tokens, reserved: 0 });
    const requestCount = (await fixture.provider.seen()).length;
    const { run: poor } = await fixture.evaluate(correctAnswers, { maxTokens: 20 });
    expect(poor).toMatchObject({ ...stops, doneCount: 0, tokens: 0 });
    expect(await fixture.provider.seen()).toHaveLength(requestCount);
  });
});
