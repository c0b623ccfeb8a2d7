import { person } from '@svc/testkit/runs/approve.ts';
import { startLlmProvider } from '@svc/testkit/service/llm-provider.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const settings = '/svc/api/admin-settings';

scenario(
  ['RT-4.3-820'],
  'a language model that the operator has switched off is asked nothing, and whatever needs it says so',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { root, projectId, dataSourceId } = await deliver({
      'Svc:LLM:Enabled': false,
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
    });
    const llmConnection = { provider: 'OpenAiCompatible', endpoint: `${provider.origin}/v1`, model: 'good' };
    expect(await root.put(settings, { llmConnection })).toMatchObject({
      status: 200,
      body: { llmConnection: { isEnabled: false, value: { model: 'good' } } },
    });
    const make = async (path: string, body: object) => {
      const { status, body: made } = await root.post(path, body);
      expect([path, status]).toEqual([path, 201]);
      return made;
    };
    const conversation = await make('/svc/api/ask/conversations', { projectId });
    const example = { projectId, dataSourceId, question: 'Which day?', expected: 'NoAnswer' };
    await make('/svc/api/eval/golden', example);
    const actor = await make('/svc/api/ai-actors', {
      ...{ projectId, dataSourceId, name: 'Watcher', instructions: 'Watch.' },
    });
    const documentation = `/svc/api/projects/${projectId}`;
    for (const [path, body] of [
      [`/svc/api/ask/conversations/${conversation.id}/questions`, { question: 'How many orders?' }],
      [`${documentation}/generate-documentation?model=true`],
      [`${documentation}/documentation/DataModel/instruct`, { instruction: 'Shorter.', content: 'Long.' }],
      ['/svc/api/eval/runs', {}],
      [`/svc/api/ai-actors/${actor.id}/think`],
      [`${settings}/test-llm`, {}],
    ] as const)
      expect([path, await root.post(path, body)]).toMatchObject([
        path,
        {
          status: 409,
          body: {
            code: 'llm-not-configured',
            detail: expect.stringContaining('switched the language model off'),
          },
        },
      ]);
    expect((await root.get('/svc/api/llm/status')).body).toEqual({
      ...{ state: 'NotConfigured', detail: expect.stringContaining('Svc:LLM:Enabled') },
    });
    expect(await provider.seen()).toEqual([]);
  },
);

const others = ['Viewer', 'Editor', 'SecurityAdmin', 'Auditor', 'UserAdmin'] as const;

scenario(
  ['RT-4.3-821', 'RT-4.3-822', 'RT-4.3-823'],
  'prompts and answers are kept where the operator says so, for Admins, for seven days',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const connected = {
      ...{ 'Svc:LLM:TrustedHosts': ['127.0.0.1'], 'Svc:LLM:Provider': 'OpenAiCompatible' },
      ...{ 'Svc:LLM:Endpoint': `${provider.origin}/v1`, 'Svc:LLM:Model': 'good:{"word":"ready"}' },
    };
    const calls = '/svc/api/llm/calls';
    for (const keeps of [undefined, true] as const) {
      const more = keeps === undefined ? {} : { 'Svc:LLM:KeepsContent': keeps };
      const fixture = await deliver({ ...connected, ...more });
      const { root, svc } = fixture;
      expect((await root.get(settings)).body.llmConnection.keepsContent).toBe(keeps === true);
      expect((await root.post(`${settings}/test-llm`, {})).body).toMatchObject({ ok: true });
      const [call] = (await root.get(calls)).body.items;
      expect(call).toMatchObject({
        ...{ purpose: 'Test', outcome: 'Answered', inputTokens: 11, outputTokens: 7, cost: null },
        ...{ promptHash: expect.stringMatching(/^[0-9a-f]{64}$/), isContentKept: keeps === true },
      });
      const content = `${calls}/${call.id}/content`;
      const kept = await root.get(content);
      if (keeps === undefined) {
        expect(kept.status).toBe(404);
        continue;
      }
      expect(kept).toMatchObject({
        status: 200,
        body: { instructions: 'Answer with the word "ready".', data: [], answer: '{"word":"ready"}' },
      });
      for (const role of others)
        expect([role, (await (await person(fixture, role)).get(content)).status]).toEqual([role, 403]);
      await svc.database.query(`update svc.llm_contents set kept_at = now() - interval '169 hours'`);
      expect((await root.get(content)).status).toBe(404);
      expect((await root.get(calls)).body.items[0].isContentKept).toBe(false);
    }
  },
);
