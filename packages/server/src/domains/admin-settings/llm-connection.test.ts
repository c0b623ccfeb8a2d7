import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const path = '/svc/api/admin-settings';
const testPath = `${path}/test-llm`;
const key = 'sk-planted-key-0123456789abcdef';
const config = { 'Svc:Jobs:Workers': 0, 'Svc:LLM:TrustedHosts': ['127.0.0.1'] };

let provider: LlmProviderProcess;
let svc: RunningService;
let root: HttpClient;
let securityAdmin: HttpClient;
let auditor: HttpClient;

beforeAll(async () => {
  provider = await startLlmProvider();
  svc = await startService({ config });
  root = await setUp(svc);
  await createUser(svc.database, 'security', 'SecurityAdmin');
  await createUser(svc.database, 'auditor', 'Auditor');
  securityAdmin = await signIn(svc, 'security');
  auditor = await signIn(svc, 'auditor');
});
afterAll(async () => {
  await svc.close();
  await provider.close();
});
beforeEach(async () => {
  await root.put(path, { llmConnection: null });
});

const connection = (model: string, more: object = {}) => ({
  provider: 'OpenAiCompatible',
  endpoint: `${provider.origin}/v1`,
  model,
  ...more,
});
const save = (model: string, more?: object) => root.put(path, { llmConnection: connection(model, more) });
const lastKeySent = async () => (await provider.seen()).at(-1)?.headers['authorization'];
const good = 'good:{"word":"ready"}';

describe('status 200', () => {
  test('a saved connection applies immediately and is in the history, and its key is never returned or stored in plain text', async () => {
    const saved = await save(good, { apiKey: key });
    expect(saved).toMatchObject({
      status: 200,
      body: {
        llmConnection: {
          value: { provider: 'OpenAiCompatible', model: good, fastModel: null, hasApiKey: true },
          isSetAtRunTime: true,
          isLocked: false,
        },
      },
    });
    const shown = await auditor.get(path);
    expect(shown.body.llmConnection).toEqual(saved.body.llmConnection);
    expect(shown.body.history[0]).toMatchObject({ setting: 'llmConnection', oldValue: null });
    expect(shown.body.history[0].newValue).toContain('new key');
    const tested = await securityAdmin.post(testPath, {});
    expect(tested).toMatchObject({
      status: 200,
      body: { ok: true, model: good, inputTokens: 11, outputTokens: 7, failure: null },
    });
    expect(await lastKeySent()).toBe(`Bearer ${key}`);
    const rows = await svc.database.query(
      `select to_jsonb(s)::text as row from svc.runtime_settings s
       union all select to_jsonb(c)::text from svc.runtime_setting_changes c
       union all select to_jsonb(a)::text from svc.audit_events a`,
    );
    expect(JSON.stringify([rows.rows, saved.body, shown.body, tested.body])).not.toContain(key);
  });

  test('another process uses a saved connection from its next call', async () => {
    const replica = await startService({ on: svc, config });
    const admin = await signIn(replica, 'root');
    expect((await admin.post(testPath, {})).status).toBe(409);
    await save(good, { apiKey: key });
    expect((await admin.post(testPath, {})).body).toMatchObject({ ok: true });
    await replica.close();
  });

  test('an absent key leaves the stored key unchanged, and null or another address deletes it', async () => {
    await save(good, { apiKey: key });
    expect((await save(`${good} `)).body.llmConnection.value.hasApiKey).toBe(true);
    expect((await save(good, { apiKey: null })).body.llmConnection.value.hasApiKey).toBe(false);
    await save(good, { apiKey: key });
    const elsewhere = await save(good, { endpoint: `${provider.origin}/other` });
    expect(elsewhere.body.llmConnection.value.hasApiKey).toBe(false);
  });

  test('a new sign-in method replaces the credentials of the previous method', async () => {
    const bedrock = { provider: 'Bedrock', region: 'eu-central-1', endpoint: null };
    const held = async (more: object) => {
      const { body } = await save('m', { ...bedrock, ...more });
      const { hasApiKey, hasAwsAccessKeyId, hasAwsSessionToken } = body.llmConnection.value;
      return [hasApiKey, hasAwsAccessKeyId, hasAwsSessionToken];
    };
    const pair = { awsAccessKeyId: 'AKIAEXAMPLE', awsSecretAccessKey: 'secret' };
    expect(await held({ apiKey: key })).toEqual([true, false, false]);
    expect(await held({ ...pair, awsSessionToken: 'session' })).toEqual([false, true, true]);
    expect(await held({})).toEqual([false, true, true]);
    expect(await held(pair)).toEqual([false, true, false]);
    expect(await held({ apiKey: key })).toEqual([true, false, false]);
  });

  test('a test of a draft for another provider does not send the stored key', async () => {
    await save(good, { apiKey: key });
    const draft = connection(good, { provider: 'OpenAi', api: 'ChatCompletions' });
    expect((await root.post(testPath, { llmConnection: draft })).body).toMatchObject({ ok: true });
    expect(await lastKeySent()).not.toContain(key);
  });

  test.each([
    ['status-401', 'Unauthorised'],
    ['status-404', 'UnknownModel'],
    ['status-529', 'Overloaded'],
    ['cut', 'CutShort'],
    ['echo', 'BadAnswer'],
  ])(
    'reports a failure of the model %s as %s and repeats no text of the provider',
    async (model, failure) => {
      await save(model, { apiKey: key });
      const { status, body } = await securityAdmin.post(testPath, {});
      expect({ status, body }).toMatchObject({ status: 200, body: { ok: false, failure } });
      expect(body.detail).toMatch(/^[A-Z].+\.$/);
      expect(JSON.stringify(body)).not.toMatch(/planted|vendor/);
    },
  );
});

describe('status 400', () => {
  test.each([
    [{ provider: 'OpenAiCompatible', model: 'm' }, '/llmConnection/endpoint'],
    [{ provider: 'AzureOpenAi', model: 'm' }, '/llmConnection/endpoint'],
    [{ provider: 'Bedrock', model: 'm' }, '/llmConnection/region'],
    [{ provider: 'Bedrock', model: 'm', region: 'eu.evil.example/' }, '/llmConnection/region'],
    [{ provider: 'OpenAi', model: 'm', endpoint: 'http://llm.example.org/v1' }, '/llmConnection/endpoint'],
    [{ provider: 'OpenAi', model: 'm', endpoint: 'https://10.0.0.1/v1' }, '/llmConnection/endpoint'],
    [{ provider: 'OpenAi', model: 'm', endpoint: 'https://169.254.169.254/' }, '/llmConnection/endpoint'],
    [{ provider: 'OpenAi', model: ' ' }, '/llmConnection/model'],
  ])('refuses the connection %j with 400 and names the field', async (llmConnection, at) => {
    for (const answer of [
      await root.put(path, { llmConnection }),
      await root.post(testPath, { llmConnection }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([{ path: at }]);
    }
  });

  test('refuses unknown members and unknown providers with 400', async () => {
    for (const llmConnection of [connection('m', { baseUrl: 'x' }), { provider: 'Other', model: 'm' }])
      expect((await root.put(path, { llmConnection })).status).toBe(400);
  });
});

describe('status 403', () => {
  test('refuses a SecurityAdmin who changes the connection or tests a draft, and changes nothing', async () => {
    await save(good, { apiKey: key });
    const before = (await auditor.get(path)).body;
    const llmConnection = connection('mine');
    for (const answer of [
      await securityAdmin.put(path, { llmConnection }),
      await securityAdmin.put(path, { llmConnection: null, defaultTimeZone: 'Europe/Paris' }),
      await securityAdmin.post(testPath, { llmConnection }),
    ])
      expect(answer).toMatchObject({ status: 403, body: { code: 'admin-required' } });
    expect((await auditor.get(path)).body).toEqual(before);
  });

  test('refuses a test by an Auditor with 403', async () => {
    expect((await auditor.post(testPath, {})).status).toBe(403);
  });
});

describe('status 409', () => {
  test('refuses a test with 409 while no model is configured', async () => {
    expect(await securityAdmin.post(testPath, {})).toMatchObject({
      status: 409,
      body: { code: 'llm-not-configured' },
    });
  });

  test('a locked connection has its configured value, regardless of an earlier change, and cannot be changed', async () => {
    await save('before', { apiKey: key });
    const locked = await startService({
      on: svc,
      config: {
        ...config,
        'Svc:LLM:Provider': 'OpenAiCompatible',
        'Svc:LLM:Endpoint': `${provider.origin}/v1/`,
        'Svc:LLM:Model': good,
        'Svc:LLM:ApiKey': 'the-configured-key',
        'Svc:AdminSettings:Locked': ['LlmConnection'],
      },
    });
    const admin = await signIn(locked, 'root');
    expect((await admin.get(path)).body.llmConnection).toMatchObject({
      value: { model: good, hasApiKey: true },
      isLocked: true,
      isSetAtRunTime: false,
    });
    expect(await admin.put(path, { llmConnection: connection('other') })).toMatchObject({
      status: 409,
      body: { type: '/errors/setting-locked' },
    });
    expect((await admin.post(testPath, {})).body).toMatchObject({ ok: true });
    expect(await lastKeySent()).toBe('Bearer the-configured-key');
    await locked.close();
  });
});

test('the service does not start if the configuration names a provider without its required settings', async () => {
  const provided = { ...config, 'Svc:LLM:Provider': 'AzureOpenAi' };
  await expect(startService({ on: svc, config: provided })).rejects.toThrow('Svc:LLM:Model');
  const named = { ...provided, 'Svc:LLM:Model': 'm' };
  await expect(startService({ on: svc, config: named })).rejects.toThrow('Svc:LLM:Endpoint');
});
