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
