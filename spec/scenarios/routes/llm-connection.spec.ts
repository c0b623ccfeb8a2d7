import { startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { person } from '@svc/testkit/runs/approve.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const route = '/svc/api/admin-settings';
const test = `${route}/test-llm`;
const trusting = { 'Svc:LLM:TrustedHosts': ['127.0.0.1'] };
const others = ['Viewer', 'Editor', 'Approver', 'UserAdmin', 'Auditor'] as const;

scenario(
  ['RT-4.3-300', 'RT-4.3-340', 'RT-4.3-341'],
  'an Admin connects a language model at run time; a SecurityAdmin can test it but not change it',
  async ({ deliver }) => {
    const provider = await startLlmProvider();
    try {
      const fixture = await deliver(trusting);
      const endpoint = `${provider.origin}/v1`;
      const llmConnection = { provider: 'OpenAiCompatible', endpoint, model: 'good:{"word":"ready"}' };
      const securityAdmin = await person(fixture, 'SecurityAdmin');
      expect((await securityAdmin.put(route, { llmConnection })).status).toBe(403);
      expect((await securityAdmin.post(test, { llmConnection })).status).toBe(403);
      expect((await provider.seen()).length).toBe(0);
      const admin = await person(fixture, 'Admin');
      expect((await admin.put(route, { llmConnection })).status).toBe(200);
      expect(await securityAdmin.post(test, {})).toMatchObject({ status: 200, body: { ok: true } });
      expect((await provider.seen()).length).toBe(1);
      for (const role of others)
        expect([role, (await (await person(fixture, role)).post(test, {})).status]).toEqual([role, 403]);
      expect((await provider.seen()).length).toBe(1);
    } finally {
      await provider.close();
    }
  },
);

scenario(
  ['RT-4.3-620', 'RT-4.3-621', 'RT-4.3-622'],
  'a SecurityAdmin limits the cost of the language model, and a call above the limit is not sent',
  async ({ deliver }) => {
    const provider = await startLlmProvider();
    try {
      const fixture = await deliver(trusting);
      const endpoint = `${provider.origin}/v1`;
      const llmConnection = { provider: 'OpenAiCompatible', endpoint, model: 'good:{"word":"ready"}' };
      expect((await fixture.root.put(route, { llmConnection })).status).toBe(200);
      const securityAdmin = await person(fixture, 'SecurityAdmin');
      expect(await securityAdmin.post(test, {})).toMatchObject({ body: { ok: true } });
      // 18 tokens are spent. The next call may need more than the remaining 100 tokens.
      expect((await securityAdmin.put(route, { llmLimits: { monthlyTokens: 118 } })).status).toBe(200);
      expect(await securityAdmin.post(test, {})).toMatchObject({
        body: { ok: false, failure: 'BudgetSpent' },
      });
      expect((await provider.seen()).length).toBe(1);
      expect((await securityAdmin.put(route, { llmLimits: { monthlyTokens: 18 } })).status).toBe(200);
      const { projectId } = fixture;
      const conversation = await fixture.root.post('/svc/api/ask/conversations', { projectId });
      const questions = `/svc/api/ask/conversations/${conversation.body.id}/questions`;
      expect(await fixture.root.post(questions, { question: 'How many orders?' })).toMatchObject({
        status: 409,
        body: { code: 'llm-budget-spent', detail: expect.stringContaining('SecurityAdmin') },
      });
      expect((await securityAdmin.put(route, { llmLimits: null })).status).toBe(200);
      expect((await fixture.root.post(questions, { question: 'How many orders?' })).status).toBe(201);
      for (const role of others) {
        const client = await person(fixture, role);
        expect([role, (await client.put(route, { llmLimits: { monthlyTokens: 1 } })).status]).toEqual([
          role,
          403,
        ]);
      }
    } finally {
      await provider.close();
    }
  },
);

scenario(
  ['RT-4.3-68', 'RT-4.3-70'],
  'the admin settings routes include the runtime settings, and changing them needs a SecurityAdmin',
  async ({ deliver }) => {
    const fixture = await deliver({});
    const securityAdmin = await person(fixture, 'SecurityAdmin');
    for (const role of others) {
      const client = await person(fixture, role);
      expect([role, (await client.put(route, { defaultTimeZone: 'Asia/Tokyo' })).status]).toEqual([
        role,
        403,
      ]);
    }
    expect((await securityAdmin.get(route)).body.settings.defaultTimeZone.value).toBe('UTC');
    const written = await securityAdmin.put(route, { defaultTimeZone: 'Asia/Tokyo' });
    expect(written).toMatchObject({
      status: 200,
      body: { settings: { defaultTimeZone: { value: 'Asia/Tokyo' } } },
    });
    const { body } = await securityAdmin.get(route);
    expect(Object.keys(body)).toEqual(['settings', 'llmConnection', 'llmLimits', 'history']);
  },
);
