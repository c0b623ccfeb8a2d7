import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const path = '/svc/api/admin-settings';
const config = { 'Svc:Jobs:Workers': 0, 'Svc:LLM:TrustedHosts': ['127.0.0.1'], 'Svc:LLM:CallsPerMinute': 50 };
const prices = { main: { inputPerMillion: 2.5, outputPerMillion: 10 } };

let provider: LlmProviderProcess;
let svc: RunningService;
let root: HttpClient;
let securityAdmin: HttpClient;
beforeAll(async () => {
  provider = await startLlmProvider();
  svc = await startService({ config });
  root = await setUp(svc);
  await createUser(svc.database, 'security', 'SecurityAdmin');
  await createUser(svc.database, 'auditor', 'Auditor');
  securityAdmin = await signIn(svc, 'security');
});
afterAll(async () => {
  await svc.close();
  await provider.close();
});
beforeEach(async () => {
  await root.put(path, { llmConnection: null, llmLimits: null });
  await svc.database.query('truncate svc.llm_calls, svc.llm_contents, svc.llm_budgets');
});

const connection = (more: object = {}) => ({
  provider: 'OpenAiCompatible',
  endpoint: `${provider.origin}/v1`,
  model: 'good:{"word":"ready"}',
  ...more,
});
const limitsShown = async () => (await root.get(path)).body.llmLimits;
const setLimits = (llmLimits: object | null) => securityAdmin.put(path, { llmLimits });
const testIt = async () => (await root.post(`${path}/test-llm`, {})).body;

describe('status 200', () => {
  test('limits that a SecurityAdmin sets apply to the next call and are in the history and the audit log', async () => {
    await root.put(path, { llmConnection: connection() });
    expect(await testIt()).toMatchObject({ ok: true });
    const saved = await setLimits({ monthlyTokens: 18 });
    expect(saved.body.llmLimits).toMatchObject({
      isSetAtRunTime: true,
      isLocked: false,
      needs: 'SecurityAdmin',
      value: { monthlyTokens: 18, callsPerMinute: 50, dailyTokensPerUser: 500_000 },
      configuredValue: { monthlyTokens: null, callsPerMinute: 50 },
    });
    expect(await testIt()).toMatchObject({ ok: false, failure: 'BudgetSpent' });
    expect((await root.get('/svc/api/llm/status')).body.state).toBe('BudgetSpent');
    expect(saved.body.history[0]).toMatchObject({ setting: 'llmLimits', newValue: '18 tokens a month' });
    const { rows } = await svc.database.query(
      `select detail from svc.audit_events where event = 'settings.setting_changed' order by id desc limit 1`,
    );
    expect(rows[0]?.detail).toMatchObject({ setting: 'llmLimits', to: '18 tokens a month' });
    await setLimits({ monthlyTokens: null });
    expect(await testIt()).toMatchObject({ ok: true });
  });

  test('absent limits remain unchanged, and null restores the configured limits', async () => {
    await setLimits({ callsPerMinute: 7 });
    await setLimits({ maxConcurrentCalls: 2 });
    expect((await limitsShown()).value).toMatchObject({ callsPerMinute: 7, maxConcurrentCalls: 2 });
    await setLimits(null);
    expect(await limitsShown()).toMatchObject({
      isSetAtRunTime: false,
      value: { callsPerMinute: 50, maxConcurrentCalls: 8 },
    });
    const rows = (await root.get(path)).body.history.length;
    await setLimits(null);
    expect((await root.get(path)).body.history).toHaveLength(rows);
  });

  test('a call times out at the time limit that is currently set', async () => {
    await root.put(path, { llmConnection: connection({ model: 'silent' }) });
    await setLimits({ callTimeoutSeconds: 1 });
    expect(await testIt()).toMatchObject({ failure: 'TimedOut' });
  });

  test('a monthly budget in money uses the prices of the connection, and one request can set both', async () => {
    const both = await root.put(path, {
      llmConnection: connection({ prices }),
      llmLimits: { monthlyBudget: 0.02 },
    });
    expect(both.body.llmConnection.value.prices).toEqual({ ...prices, fast: null });
    expect(await testIt()).toMatchObject({ ok: true });
    const { month, total } = (await root.get('/svc/api/llm/usage')).body;
    expect(month.money).toEqual({ spent: 0.000098, reserved: 0, limit: 0.02 });
    expect(total.cost).toBe(0.000098);
    await setLimits({ monthlyBudget: 0.0001 });
    expect(await testIt()).toMatchObject({ failure: 'BudgetSpent' });
  });
});

describe('status 400', () => {
  test.each([
    [{ callsPerMinute: 0 }, '/llmLimits/callsPerMinute'],
    [{ callsPerMinute: 1.5 }, '/llmLimits/callsPerMinute'],
    [{ dailyTokensPerUser: null }, '/llmLimits/dailyTokensPerUser'],
    [{ monthlyBudget: -1 }, '/llmLimits/monthlyBudget'],
    [{ callTimeoutSeconds: 601 }, '/llmLimits/callTimeoutSeconds'],
    [{ maxPromptBytes: 10 }, '/llmLimits/maxPromptBytes'],
    [{ maxConcurrentCalls: 'many' }, '/llmLimits/maxConcurrentCalls'],
  ])('refuses the limits %j with 400 and names the field', async (llmLimits, at) => {
    const { status, body } = await setLimits(llmLimits);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: at }]);
  });

  test('refuses unknown limits and an empty object with 400', async () => {
    for (const llmLimits of [{ weeklyBudget: 1 }, {}]) expect((await setLimits(llmLimits)).status).toBe(400);
  });

  test('refuses a budget in money without prices, from either setting, and changes nothing', async () => {
    await root.put(path, { llmConnection: connection() });
    const refused = await setLimits({ monthlyBudget: 5 });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: '/llmLimits/monthlyBudget' }] } });
    await root.put(path, { llmConnection: connection({ prices }) });
    expect((await setLimits({ monthlyBudget: 5 })).status).toBe(200);
    const dropped = await root.put(path, { llmConnection: connection() });
    expect(dropped).toMatchObject({ status: 400, body: { errors: [{ path: '/llmConnection/prices' }] } });
    expect((await root.get(path)).body.llmConnection.value.prices).toMatchObject(prices);
    expect((await root.put(path, { llmConnection: connection(), llmLimits: null })).status).toBe(200);
  });

  test('refuses invalid prices with 400', async () => {
    for (const bad of [{ main: { inputPerMillion: -1, outputPerMillion: 1 } }, { main: {} }, {}])
      expect((await root.put(path, { llmConnection: connection({ prices: bad }) })).status).toBe(400);
  });
});

describe('status 403 and 409', () => {
  test('an Auditor can read the limits but cannot change them', async () => {
    const auditor = await signIn(svc, 'auditor');
    expect((await auditor.get(path)).body.llmLimits.value.callsPerMinute).toBe(50);
    expect((await auditor.put(path, { llmLimits: { callsPerMinute: 1 } })).status).toBe(403);
  });

  test('locked limits have their configured values, regardless of earlier changes, and cannot be changed', async () => {
    await setLimits({ callsPerMinute: 3 });
    const locked = await startService({
      on: svc,
      config: { ...config, 'Svc:AdminSettings:Locked': ['LlmLimits'] },
    });
    const admin = await signIn(locked, 'root');
    expect((await admin.get(path)).body.llmLimits).toMatchObject({
      isLocked: true,
      isSetAtRunTime: false,
      value: { callsPerMinute: 50 },
    });
    expect(await admin.put(path, { llmLimits: { callsPerMinute: 9 } })).toMatchObject({
      status: 409,
      body: { type: '/errors/setting-locked' },
    });
    await locked.close();
  });
});
