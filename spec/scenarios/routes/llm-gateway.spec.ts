import { startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { addKey } from '@svc/testkit/people/people.ts';
import { person } from '@svc/testkit/runs/approve.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';
import { tablesWith } from '../support/stored-text.ts';

const settings = '/svc/api/admin-settings';

scenario(
  ['RT-4.3-820'],
  'a language model that the operator has switched off receives no requests, and features that need it report this',
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
      projectId,
      dataSourceId,
      name: 'Watcher',
      instructions: 'Watch.',
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
      state: 'NotConfigured',
      detail: expect.stringContaining('Svc:LLM:Enabled'),
    });
    expect(await provider.seen()).toEqual([]);
  },
);

const others = [
  'Viewer',
  'Editor',
  'SecurityAdmin',
  'Auditor',
  'UserAdmin',
  'Approver',
  'DataSourceAdmin',
  'MigrationOperator',
] as const;

scenario(
  ['RT-4.3-821', 'RT-4.3-822', 'RT-4.3-823'],
  'prompts and answers are stored only if the operator enables it, for Admins, for seven days',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const connected = {
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'good:{"word":"ready"}',
    };
    const calls = '/svc/api/llm/calls';
    for (const keeps of [undefined, true] as const) {
      const more = keeps === undefined ? {} : { 'Svc:LLM:KeepsContent': keeps };
      const fixture = await deliver({ ...connected, ...more });
      const { root, svc, projectId } = fixture;
      expect((await root.get(settings)).body.llmConnection.keepsContent).toBe(keeps === true);
      expect((await root.post(`${settings}/test-llm`, {})).body).toMatchObject({ ok: true });
      const [call] = (await root.get(calls)).body.items;
      expect(call).toMatchObject({
        purpose: 'Test',
        outcome: 'Answered',
        inputTokens: 11,
        outputTokens: 7,
        cost: null,
        promptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        isContentKept: keeps === true,
      });
      const content = `${calls}/${call.id}/content`;
      const kept = await root.get(content);
      // Stored content is encrypted, so no table contains its words. A row exists only if the service stores content.
      for (const words of ['Answer with the word', '"word":"ready"'])
        expect([words, await tablesWith(svc, words)]).toEqual([words, []]);
      const { rowCount } = await svc.database.query('select from svc.llm_contents');
      expect(rowCount).toBe(keeps === undefined ? 0 : 1);
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
      const admin = await person(fixture, 'Admin');
      expect((await admin.get(content)).body).toEqual(kept.body);
      const key = await addKey(admin, { scopes: ['Execute'], projects: [projectId] });
      expect((await svc.client(`Bearer ${key.text}`).get(content)).status).toBe(403);
      expect((await svc.client().get(content)).status).toBe(401);
      const listed = await (await person(fixture, 'Auditor')).get(calls);
      expect(listed.status).toBe(200);
      expect(listed.text).not.toContain('Answer with the word');
      await svc.database.query(`update svc.llm_contents set kept_at = now() - interval '169 hours'`);
      expect((await root.get(content)).status).toBe(404);
      expect((await root.get(calls)).body.items[0].isContentKept).toBe(false);
    }
  },
);

scenario(
  ['RT-4.3-962'],
  'the usage of an answer includes its explanations, also failed ones',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { root, projectId, dataSourceId } = await deliver({ 'Svc:LLM:TrustedHosts': ['127.0.0.1'] });
    const connect = async (prices: object | null) => {
      const endpoint = `${provider.origin}/v1`;
      const llmConnection = { provider: 'OpenAiCompatible', endpoint, model: 'script', prices };
      expect((await root.put(settings, { llmConnection })).status).toBe(200);
    };
    await connect(null);
    const masked = await root.put('/svc/api/mcp/settings', { rowsToModel: 'Masked' });
    expect(masked.status).toBe(200);
    const golden = { projectId, dataSourceId, question: 'What is one?', sql: 'select 1 as one' };
    expect((await root.post('/svc/api/eval/golden', golden)).status).toBe(201);
    const { body: talk } = await root.post('/svc/api/ask/conversations', { projectId });
    const questions = `/svc/api/ask/conversations/${talk.id}/questions`;
    const { id } = (await root.post(questions, { question: 'What is one?' })).body;
    const answer = async () => (await root.get(`/svc/api/ask/answers/${id}`)).body;
    await until('the end of an answer', async () =>
      (await answer()).finishedAt === null ? undefined : true,
    );
    const taken = (input: number, output: number, cost: number | null) => ({
      basis: 'Checked',
      rows: [[1]],
      cost,
      tokens: { input, output, isEstimated: false },
    });
    expect(await answer()).toMatchObject(taken(0, 0, null));

    const explain = async (...said: unknown[]) => {
      await provider.script(...said);
      return (await root.post(`/svc/api/ask/answers/${id}/explain`, undefined)).status;
    };
    expect(await explain({ explanation: 'It is one.' })).toBe(200);
    expect(await answer()).toMatchObject(taken(11, 7, null));
    await connect({ main: { inputPerMillion: 2.5, outputPerMillion: 10 } });
    expect(await explain({ explanation: 'It is one.' })).toBe(200);
    expect(await answer()).toMatchObject(taken(22, 14, 0.000098));
    // The service retries an invalid explanation once, and the cost includes both calls.
    expect(await explain('no JSON', 'none either')).toBe(424);
    expect(await answer()).toMatchObject(taken(44, 28, 0.000293));
    await connect(null);
    expect(await explain({ explanation: 'It is one.' })).toBe(200);
    expect(await answer()).toMatchObject(taken(55, 35, 0.000293));
  },
);

scenario(
  ['RT-4.3-824', 'RT-4.3-825'],
  'an answer reports its cost, and the usage report sums the cost of calls over several days',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { root, svc, projectId, dataSourceId, source } = await deliver({
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
    });
    await source.sql('create table visits (id int primary key)');
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
    const main = { inputPerMillion: 2.5, outputPerMillion: 10 };
    const connect = async (prices: object | null) => {
      const endpoint = `${provider.origin}/v1`;
      const llmConnection = { provider: 'OpenAiCompatible', endpoint, model: 'script', prices };
      expect((await root.put(settings, { llmConnection })).status).toBe(200);
    };
    const ask = async () => {
      const written = { kind: 'Sql', sql: 'select count(*) from visits', assumptions: [] };
      await provider.script({ ...written, question: null, options: [], missing: null });
      const { body: talk } = await root.post('/svc/api/ask/conversations', { projectId });
      const questions = `/svc/api/ask/conversations/${talk.id}/questions`;
      const { body: asked } = await root.post(questions, { question: 'How many visits?' });
      return until('the end of an answer', async () => {
        const { body } = await root.get(`/svc/api/ask/answers/${asked.id}`);
        return body.finishedAt === null ? undefined : body;
      });
    };
    await connect(null);
    expect(await ask()).toMatchObject({ state: 'Answered', cost: null });
    await connect({ main });
    // 11 tokens at 2.5 and 7 tokens at 10 millionths cost 97.5 millionths. The service rounds the cost up.
    expect(await ask()).toMatchObject({ state: 'Answered', cost: 0.000098 });

    const usage = async (query: string) => (await root.get(`/svc/api/llm/usage?${query}`)).body;
    await svc.database.query(
      `update svc.llm_calls set started_at = case when cost_micros = 0 then timestamptz '2026-03-01T23:59:59Z'
         else timestamptz '2026-03-02T00:00:00Z' end`,
    );
    const days = 'from=2026-03-01&to=2026-03-02&by=Day';
    expect((await usage(days)).items).toMatchObject([
      { key: '2026-03-02', calls: 1, cost: 0.000098 },
      { key: '2026-03-01', calls: 1, cost: 0 },
    ]);
    expect((await usage('from=2026-03-02&to=2026-03-02')).total).toMatchObject({ calls: 1, cost: 0.000098 });
    expect((await usage('from=2026-03-01&to=2026-03-01')).total).toMatchObject({ calls: 1, cost: 0 });
    expect((await usage('from=2026-03-03&to=2026-03-30')).total).toMatchObject({ calls: 0 });
  },
);

scenario(
  ['RT-4.3-826'],
  'an evaluation stops before a question that could exceed its remaining tokens',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const answer = {
      kind: 'CannotAnswer',
      sql: null,
      assumptions: [],
      question: null,
      options: [],
      missing: '',
    };
    const { root, source, projectId, dataSourceId } = await deliver({
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',

      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': `uncounted:${JSON.stringify(answer)}`,
    });
    await source.sql('create table visits (id int primary key)');
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
    const example = { projectId, dataSourceId, question: 'Will it rain?', expected: 'NoAnswer' };
    expect((await root.post('/svc/api/eval/golden', example)).status).toBe(201);
    const evaluate = async (body: object) => {
      const { body: run } = await root.post('/svc/api/eval/runs', body);
      return until('the end of an evaluation', async () => {
        const { body: read } = await root.get(`/svc/api/eval/runs/${run.id}`);
        return read.finishedAt === null ? undefined : read;
      });
    };
    // The provider reports no token counts, so each question counts with its upper bound.
    const { tokens: bound } = await evaluate({});
    expect(bound).toBeGreaterThan(0);
    const asked = (await provider.seen()).length;
    expect(await evaluate({ repeats: 5, maxTokens: 3 * bound - 1 })).toMatchObject({
      state: 'Stopped',
      doneCount: 2,
      tokens: 2 * bound,
    });
    expect(await evaluate({ repeats: 2, maxTokens: 2 * bound })).toMatchObject({
      state: 'Completed',
      doneCount: 2,
      tokens: 2 * bound,
    });
    expect(await evaluate({ maxTokens: bound - 1 })).toMatchObject({ state: 'Stopped', doneCount: 0 });
    expect(await provider.seen()).toHaveLength(asked + 4);
  },
);

scenario(
  ['RT-4.3-828'],
  'cancelling a question ends its request at the provider',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { root, source, projectId, dataSourceId } = await deliver({
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'stalls',
    });
    await source.sql('create table visits (id int primary key)');
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
    const { body: talk } = await root.post('/svc/api/ask/conversations', { projectId });
    const questions = `/svc/api/ask/conversations/${talk.id}/questions`;
    const { body: asked } = await root.post(questions, { question: 'How many visits?' });
    const request = () => until('the request to the provider', async () => (await provider.seen())[0]);
    expect(await request()).toMatchObject({ isClosed: false });
    expect((await root.post(`/svc/api/ask/answers/${asked.id}/cancel`, undefined)).status).toBe(204);
    await until('its end', async () => ((await request()).isClosed ? true : undefined));
    expect((await root.get(`/svc/api/ask/answers/${asked.id}`)).body.state).toBe('Cancelled');
    expect(await provider.seen()).toHaveLength(1);
  },
);
