import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/llm';
const word = 'good:{"word":"ready"}';
let provider: LlmProviderProcess;
let fixture: RunFixture;

beforeAll(async () => {
  provider = await startLlmProvider();
  fixture = await startRunFixture({
    config: { 'Svc:LLM:TrustedHosts': ['127.0.0.1'], 'Svc:LLM:MonthlyTokens': 100_000 },
  });
});
afterAll(async () => {
  await fixture?.close();
  await provider?.close();
});

const connect = async (model: string) => {
  const llmConnection = { provider: 'OpenAiCompatible', endpoint: `${provider.origin}/v1`, model };
  expect((await fixture.root.put('/svc/api/admin-settings', { llmConnection })).status).toBe(200);
};
const testIt = () => fixture.root.post('/svc/api/admin-settings/test-llm', {});
const state = async () => (await fixture.root.get(`${path}/status`)).body.state;

describe('the status of the language model', () => {
  test('shows the state of the language model, and who can change it', async () => {
    expect((await fixture.root.get(`${path}/status`)).body).toEqual({
      state: 'NotConfigured',
      detail: 'No language model is set up. An Admin sets one up in the admin settings.',
    });
    await connect('status-401');
    expect(await state()).toBe('Ready');
    await testIt();
    expect(await state()).toBe('Failing');
    await connect(word);
    await testIt();
    expect(await state()).toBe('Ready');
    await fixture.svc.database.query(
      `update svc.llm_budgets set spent = 100000 where scope = 'ServiceMonth'`,
    );
    expect(await state()).toBe('BudgetSpent');
    await fixture.svc.database.query(`update svc.llm_budgets set spent = 18 where scope = 'ServiceMonth'`);
    expect(await state()).toBe('Ready');
  });
});

describe('the usage report', () => {
  test('is grouped by day, purpose, user, project and model, with the budget of the month', async () => {
    const used = async (by: string) => (await fixture.root.get(`${path}/usage?by=${by}`)).body;
    const byDay = await used('Day');
    const counts = { calls: 2, failedCalls: 1, inputTokens: 11, outputTokens: 7, estimatedCalls: 0 };
    expect(byDay).toMatchObject({
      by: 'Day',
      total: counts,
      month: { spent: 18, reserved: 0, limit: 100_000 },
      items: [{ key: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), ...counts }],
    });
    expect((await used('Purpose')).items).toMatchObject([{ key: 'Test', label: 'Test', calls: 2 }]);
    expect((await used('Model')).items.map(({ key }: { key: string }) => key)).toEqual([word, 'status-401']);
    expect((await used('User')).items).toMatchObject([{ key: '1', calls: 2 }]);
    expect((await used('Project')).items).toMatchObject([{ key: '', label: 'No project', calls: 2 }]);
    await fixture.svc.database.query(`update svc.llm_calls set started_at = now() - interval '40 days'`);
    expect((await used('Day')).items).toEqual([]);
    const now = Date.now();
    const dayBefore = (days: number) => new Date(now - days * 86_400_000).toISOString().slice(0, 10);
    const within = async (from: number, to: number) =>
      (await fixture.root.get(`${path}/usage?from=${dayBefore(from)}&to=${dayBefore(to)}`)).body;
    expect(await within(60, 40)).toMatchObject({
      from: dayBefore(60),
      to: dayBefore(40),
      total: { calls: 2 },
    });
    expect((await within(40, 0)).total).toMatchObject({ calls: 2 });
    expect((await within(39, 0)).total).toMatchObject({ calls: 0 });
    expect((await within(60, 41)).total).toMatchObject({ calls: 0 });
    const before = await fixture.root.get(`${path}/usage?to=${dayBefore(35)}`);
    expect(before.body).toMatchObject({ from: dayBefore(64), to: dayBefore(35), total: { calls: 2 } });
    await fixture.svc.database.query('update svc.llm_calls set started_at = now()');
  });

  test('shows each user only their own usage', async () => {
    const viewer = await fixture.person('frugal', 'Viewer');
    const mine = await viewer.get(`${path}/usage/own`);
    expect(mine.body).toMatchObject({ items: [], total: { calls: 0 }, today: { spent: 0, limit: 500_000 } });
    const theirs = await fixture.root.get(`${path}/usage/own`);
    expect(theirs.body).toMatchObject({ total: { calls: 2 }, today: { spent: 18 } });
    expect((await viewer.get(`${path}/usage`)).status).toBe(403);
  });

  test.each([
    'usage?by=Everything',
    'usage?from=yesterday',
    'usage?from=2026-02-30',
    'usage?to=2026-1-1',
    'usage?from=2026-02-02&to=2026-02-01',
    'usage?from=2025-01-01&to=2026-02-05',
    'usage/own?days=0',
    'usage/own?days=401',
  ])('refuses %s with 400', async (query) => {
    expect((await fixture.root.get(`${path}/${query}`)).status).toBe(400);
  });
});
