import { setUp } from '@svc/testkit/people/people.ts';
import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/service/llm-provider.ts';
import { startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const key = 'sk-planted-key-0123456789abcdef';
const model = 'good:{"word":"ready"}';
let provider: LlmProviderProcess;
beforeAll(async () => {
  provider = await startLlmProvider();
});
afterAll(() => provider.close());

/** Tests the connection of a service; gives the answer, and what is booked. */
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
      'select scope, spent::int, reserved::int from svc.llm_budgets order by scope',
    );
    return { body, calls: calls.rows.map(({ row }) => row), budgets: budgets.rows };
  } finally {
    await svc.close();
  }
}

test('a call is booked for the service and the person, with no key beside it', async () => {
  const { body, calls, budgets } = await testAt({});
  expect(body).toMatchObject({ ok: true, inputTokens: 11, outputTokens: 7 });
  expect(calls).toMatchObject([
    { purpose: 'Test', model, input_tokens: 11, output_tokens: 7, is_estimated: false, outcome: 'Answered' },
  ]);
  expect(budgets).toEqual([
    { scope: 'ServiceMonth', spent: 18, reserved: 0 },
    { scope: 'UserDay', spent: 18, reserved: 0 },
  ]);
  expect(JSON.stringify(calls)).not.toContain(key);
});

test('a call for which there is no budget is not sent', async () => {
  const sentBefore = (await provider.seen()).length;
  const { body, calls, budgets } = await testAt({ 'Svc:LLM:MonthlyTokens': 1_000 });
  expect(body).toMatchObject({ ok: false, failure: 'BudgetSpent', inputTokens: 0 });
  expect(body.detail).toBe('The budget of the language model is spent.');
  expect([calls, budgets]).toEqual([[], []]);
  expect(await provider.seen()).toHaveLength(sentBefore);
});
