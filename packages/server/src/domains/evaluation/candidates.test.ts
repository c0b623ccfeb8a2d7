import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EvaluationFixture, startEvaluationFixture, writes } from './testing/evaluation-fixture.ts';

let fixture: EvaluationFixture;
beforeAll(async () => {
  fixture = await startEvaluationFixture();
});
afterAll(async () => fixture?.close());

describe('feedback of users about answers', () => {
  test('is listed, and a statement with good feedback becomes an example once', async () => {
    const { root, projectId } = fixture;
    const conversation = await root.post('/svc/api/ask/conversations', { projectId });
    const answerTo = async (question: string, sql: string): Promise<number> => {
      await fixture.provider.script(writes(sql));
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
