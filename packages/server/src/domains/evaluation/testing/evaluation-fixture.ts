import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';

export const runsPath = '/svc/api/eval/runs';
export const goldenPath = '/svc/api/eval/golden';

/** Questions with correct statements, and with plausible but wrong statements. */
export const questions = [
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
export const unanswerable = 'What will the weather be?';

/** Returns an answer in the schema of the model. */
const modelAnswer = (members: Readonly<Record<string, unknown>>) => ({
  kind: 'Sql',
  sql: null,
  assumptions: [],
  question: null,
  options: [],
  missing: null,
  ...members,
});

/** Returns an answer of the model with a statement. */
export const writes = (sql: string) => modelAnswer({ sql });
/** An answer of the model without a statement. */
export const abstains = modelAnswer({ kind: 'CannotAnswer', missing: 'I do not know.' });
/** Correct answers of the model, in the order of the examples. */
export const correctAnswers = [...questions.map(({ sql }) => writes(sql)), abstains];

export type EvaluationFixture = RunFixture & {
  readonly provider: LlmProviderProcess;
  /** Runs an evaluation. The model returns the given answers in the order of the examples. */
  readonly evaluate: (answers: readonly unknown[], body?: object) => Promise<Evaluated>;
};

type Evaluated = {
  // biome-ignore lint/suspicious/noExplicitAny: the body of a response, as the test client returns it.
  readonly run: any;
  readonly results: { question: string; verdict: string; detail: string | null }[];
};

/** Starts a service with a scripted language model and a golden example for each question. */
export async function startEvaluationFixture(): Promise<EvaluationFixture> {
  const provider = await startLlmProvider();
  const fixture = await startRunFixture({
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
    await fixture.make(goldenPath, { projectId, dataSourceId, question, sql });
  await fixture.make(goldenPath, { projectId, dataSourceId, question: unanswerable, expected: 'NoAnswer' });
  return {
    ...fixture,
    provider,
    evaluate: async (answers, body = {}) => {
      await provider.script(...answers);
      const started = await root.post(runsPath, { projectId, ...body });
      expect(started.status, JSON.stringify(started.body)).toBe(201);
      const run = await until('the end of an evaluation', async () => {
        const { body: read } = await root.get(`${runsPath}/${started.body.id}`);
        return read.finishedAt === null ? undefined : read;
      });
      const results = await root.get(`${runsPath}/${run.id}/results?pageSize=100`);
      return { run, results: results.body.items };
    },
    close: async () => {
      await fixture.close();
      await provider.close();
    },
  };
}
