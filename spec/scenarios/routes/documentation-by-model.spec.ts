import { startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.3-623', 'RT-4.3-624', 'RT-4.3-625'],
  'a model describes tables from metadata alone, and neither it nor a rewrite replaces text by a user',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { root, projectId, source } = await deliver({ 'Svc:LLM:TrustedHosts': ['127.0.0.1'] });
    await source.sql(
      `create table visits (id int primary key, guest text); insert into visits values (1, 'Planted Value')`,
    );
    const llmConnection = {
      provider: 'OpenAiCompatible',
      endpoint: `${provider.origin}/v1`,
      model: 'script',
    };
    expect((await root.put('/svc/api/admin-settings', { llmConnection })).status).toBe(200);
    const path = `/svc/api/projects/${projectId}/documentation`;
    const generate = async () => {
      const { body } = await root.post(`/svc/api/projects/${projectId}/generate-documentation`);
      return until('the end of the generation', async () => {
        const { generation, sections } = (await root.get(path)).body;
        const isOver = generation.jobId === body.jobId && generation.finishedAt !== null;
        return isOver
          ? { generation, section: sections.find(({ kind }: { kind: string }) => kind === 'DataModel') }
          : undefined;
      });
    };
    const tables = [{ name: 'public.visits', purpose: 'One row is a visit.' }];
    await provider.script({ tables });
    const first = await generate();
    expect(first.generation).toMatchObject({ state: 'Completed', isModelAsked: true });
    expect(first.section).toMatchObject({ provenance: 'Model' });
    expect(first.section.content).toContain('One row is a visit.');
    const prompts = JSON.stringify(await provider.seen());
    expect(prompts).toContain('public.visits(id integer key, guest text');
    expect(prompts).not.toContain('Planted Value');

    const content = 'What people know of it.';
    expect((await root.put(`${path}/DataModel`, { content })).status).toBe(200);
    const { section } = await generate();
    expect(section).toMatchObject({ content, provenance: 'Person', proposedProvenance: 'Model' });
    expect(section.proposedContent).toContain('One row is a visit.');

    await provider.script({ content: 'Rewritten.' });
    const rewritten = await root.post(`${path}/DataModel/instruct`, { instruction: 'Shorter.' });
    expect(rewritten).toMatchObject({ status: 200, body: { content: 'Rewritten.' } });
    const { sections } = (await root.get(path)).body;
    expect(sections.find(({ kind }: { kind: string }) => kind === 'DataModel')).toEqual(section);
  },
);
