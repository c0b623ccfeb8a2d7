import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const key = 'sk-planted-key-0123456789abcdef';
const model = 'good:{"word":"ready"}';
let provider: LlmProviderProcess;
beforeAll(async () => {
  provider = await startLlmProvider();
});
afterAll(() => provider.close());

/** Tests the connection of a service. Returns the answer, and the booked calls and budgets. */
async function testAt(more: Readonly<Record<string, unknown>>) {
  const svc = await startService({
    config: {
      'Svc:Jobs:Workers': 0,
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': model,
      'Svc:LLM:ApiKey': key,
      ...more,
    },
  });
  try {
    const root = await setUp(svc);
    const { body } = await root.post('/svc/api/admin-settings/test-llm', {});
    const calls = await svc.database.query('select to_jsonb(c) as row from svc.llm_calls c');
    const budgets = await svc.database.query(
      `select scope, spent::int, reserved::int, spent_micros::int as micros, missed_at is not null as "isMissed"
       from svc.llm_budgets order by scope`,
    );
    return { body, calls: calls.rows.map(({ row }) => row), budgets: budgets.rows };
  } finally {
    await svc.close();
  }
}

test('charges a call to the budgets of the service and the user, and its record contains no API key', async () => {
  const { body, calls, budgets } = await testAt({});
  expect(body).toMatchObject({ ok: true, inputTokens: 11, outputTokens: 7 });
  expect(calls).toMatchObject([
    { purpose: 'Test', model, input_tokens: 11, output_tokens: 7, is_estimated: false, outcome: 'Answered' },
  ]);
  expect(budgets).toEqual([
    { scope: 'ServiceMonth', spent: 18, reserved: 0, micros: 0, isMissed: false },
    { scope: 'UserDay', spent: 18, reserved: 0, micros: 0, isMissed: false },
  ]);
  expect(JSON.stringify(calls)).not.toContain(key);
});

const priced = { 'Svc:LLM:InputPrice': '2.5', 'Svc:LLM:OutputPrice': 10 };

test('stores the cost of a call from its tokens and the prices at the time of the call', async () => {
  const { calls, budgets } = await testAt({ ...priced, 'Svc:LLM:MonthlyBudget': '0.02' });
  // 11 tokens at 2.5 and 7 at 10 millionths are 97.5. The booked cost is rounded up.
  expect(calls).toMatchObject([{ cost_micros: 98, input_price: 2.5, output_price: 10 }]);
  expect(budgets[0]).toMatchObject({ scope: 'ServiceMonth', spent: 18, micros: 98 });
});

test.each([
  ['tokens', { 'Svc:LLM:MonthlyTokens': 1_000 }],
  ['money', { ...priced, 'Svc:LLM:MonthlyBudget': '0.001' }],
  ['money without configured prices', { 'Svc:LLM:MonthlyBudget': 1_000 }],
])('does not send a call when the budget of %s is insufficient', async (_, limits) => {
  const sentBefore = (await provider.seen()).length;
  const { body, calls, budgets } = await testAt(limits);
  expect(body).toMatchObject({ ok: false, failure: 'BudgetSpent', inputTokens: 0 });
  expect(body.detail).toBe('The budget of the language model is spent.');
  expect(calls).toEqual([]);
  expect(budgets).toEqual([{ scope: 'ServiceMonth', spent: 0, reserved: 0, micros: 0, isMissed: true }]);
  expect(await provider.seen()).toHaveLength(sentBefore);
});
