import { startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { addKey } from '@svc/testkit/people/people.ts';
import { person } from '@svc/testkit/runs/approve.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const ask = '/svc/api/ask';
const written = (sql: string) => ({
  kind: 'Sql',
  sql,
  assumptions: [],
  question: null,
  options: [],
  missing: null,
});

scenario(
  ['RT-4.3-473', 'RT-4.3-474', 'RT-4.3-475', 'RT-4.3-476'],
  'a question is answered by a checked statement or by one of the model, and only the asking user can read the answer',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const fixture = await deliver({
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
    });
    const { root, source, projectId, dataSourceId } = fixture;
    await source.sql(
      `create table guests (id int, email text); insert into guests values (7, 'planted-guest@example.org')`,
    );
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
    const golden = {
      projectId,
      dataSourceId,
      question: 'How many guests?',
      sql: 'select count(*) as n from guests',
    };
    expect((await root.post('/svc/api/eval/golden', golden)).status).toBe(201);

    const asker = await person(fixture, 'Editor');
    const conversation = await asker.post(`${ask}/conversations`, { projectId });
    const place = `${ask}/conversations/${conversation.body.id}`;
    const answerTo = async (question: string) => {
      const { body } = await asker.post(`${place}/questions`, { question });
      return until('an answer', async () => {
        const answer = (await asker.get(`${ask}/answers/${body.id}`)).body;
        return answer.finishedAt === null ? undefined : answer;
      });
    };
    expect(await answerTo('how many guests')).toMatchObject({ basis: 'Checked', rows: [['1']] });
    expect(await provider.seen()).toEqual([]);

    const drop = written('drop table guests');
    await provider.script(drop, drop, drop);
    expect(await answerTo('Clear the guests')).toMatchObject({ state: 'Refused', rows: null });
    await provider.script(written('select id, email from guests'));
    const answer = await answerTo('Who are the guests?');
    expect(answer).toMatchObject({ state: 'Answered', basis: 'Model' });
    expect(answer.rows[0][0]).toBe(7);
    expect(JSON.stringify(answer.rows)).not.toContain('planted-guest');
    const sent = JSON.stringify((await provider.seen()).map(({ body }) => body));
    expect(sent).toContain('guests');
    expect(sent).not.toContain('planted-guest');

    for (const client of [root, await person(fixture, 'Viewer')])
      for (const path of [place, `${ask}/answers/${answer.id}`])
        expect((await client.get(path)).status).toBe(404);
    expect((await asker.get(place)).body.answers).toHaveLength(3);
  },
);

scenario(
  ['RT-4.3-960', 'RT-4.3-961'],
  'an answer warns about a statement that counts values repeatedly or compares with an unknown value, and is still returned',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { root, source, projectId, dataSourceId } = await deliver({
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
    });
    await source.sql(`create table guests (id int primary key, credit int);
      create table stays (id int primary key, guest_id int references guests, state text);
      insert into guests values (1, 100); insert into stays values (1, 1, 'past'), (2, 1, 'past')`);
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
    const rules = [
      { name: 'States', type: 'AcceptedValues', columns: ['state'], config: { values: ['past', 'due'] } },
    ];
    const contract = {
      projectId,
      dataSourceId,
      name: 'Stays',
      schemaName: 'public',
      tableName: 'stays',
      rules,
    };
    const made = await root.post('/svc/api/data-quality/contracts', contract);
    expect(made.status, made.text).toBe(201);
    const conversation = await root.post(`${ask}/conversations`, { projectId });
    const answerTo = async (question: string, sql: string) => {
      await provider.script(written(sql));
      const { body } = await root.post(`${ask}/conversations/${conversation.body.id}/questions`, {
        question,
      });
      return until('an answer', async () => {
        const answer = (await root.get(`${ask}/answers/${body.id}`)).body;
        return answer.finishedAt === null ? undefined : answer;
      });
    };
    const join = 'from guests g join stays s on s.guest_id = g.id';
    expect(await answerTo('How much credit?', `select sum(g.credit)::int as n ${join}`)).toMatchObject({
      state: 'Answered',
      confidence: 'Low',
      rows: [[200]],
      advisories: [expect.stringContaining('several rows for one of public.guests')],
    });
    expect(await answerTo('How many?', `select count(*) as n ${join} where s.state = 'gone'`)).toMatchObject({
      state: 'Answered',
      confidence: 'Low',
      rows: [['0']],
      advisories: ['It compares public.stays.state with "gone", which is none of its known values.'],
    });
    expect(
      await answerTo(
        'How often?',
        `select g.id, count(s.id) as n ${join} where s.state = 'past' group by g.id`,
      ),
    ).toMatchObject({ confidence: 'Medium', advisories: [], rows: [[1, '2']] });
    const sent = JSON.stringify((await provider.seen()).map(({ body }) => body));
    expect(sent).not.toContain('past');
  },
);

scenario(
  ['ID-5.7-21'],
  'a key with Execute can use the language model on every route for keys, and a key with Read on none',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { svc, root, source, projectId, dataSourceId } = await deliver({
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
    });
    await source.sql('create table guests (id int)');
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
    const keyOf = async (scope: 'Read' | 'Execute') =>
      svc.client(`Bearer ${(await addKey(root, { scopes: [scope], projects: [projectId] })).text}`);
    type Client = Awaited<ReturnType<typeof keyOf>>;
    const toolCall = { name: 'ask', arguments: { question: 'How many guests?' } };
    const ways: readonly ((client: Client) => Promise<number>)[] = [
      async (client) => {
        const talk = await client.post(`${ask}/conversations`, { projectId });
        if (talk.status !== 201) return talk.status;
        const place = `${ask}/conversations/${talk.body.id}/questions`;
        const { status, body } = await client.post(place, { question: 'How many guests?' });
        await until('an answer', async () =>
          (await client.get(`${ask}/answers/${body.id}`)).body.finishedAt === null ? undefined : true,
        );
        return status;
      },
      async (client) =>
        (
          await client.post('/svc/api/mcp/tools/run', {
            toolName: 'ask',
            projectId,
            arguments: toolCall.arguments,
          })
        ).status,
      async (client) => {
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: toolCall };
        const headers = {
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        };
        return (await client.send('POST', '/svc/mcp', message, { headers })).status;
      },
    ];
    const reader = await keyOf('Read');
    for (const way of ways) expect(await way(reader)).toBe(403);
    expect(await provider.seen()).toEqual([]);
    const runner = await keyOf('Execute');
    for (const [at, way] of ways.entries()) {
      await provider.script(written('select count(*) from guests'));
      expect(await way(runner)).toBeLessThan(300);
      expect(await provider.seen()).toHaveLength(at + 1);
    }
  },
);

scenario(
  ['RT-4.3-847', 'RT-4.3-848', 'RT-4.3-849', 'RT-4.3-850', 'RT-4.3-851'],
  'the MCP settings of a project control the number of voting statements, masked rows for the model, and its use',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { root, source, projectId, dataSourceId } = await deliver({
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
    });
    await source.sql(
      `create table guests (id int, email text); insert into guests values (1, 'planted-guest@example.org'), (2, 'b@x.org')`,
    );
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
    const set = async (overrides: object) =>
      expect((await root.put(`/svc/api/mcp/projects/${projectId}/settings`, overrides)).status).toBe(200);
    const conversation = await root.post(`${ask}/conversations`, { projectId });
    const place = `${ask}/conversations/${conversation.body.id}/questions`;
    const answerTo = async (question: string) => {
      const { body } = await root.post(place, { question });
      return until('an answer', async () => {
        const answer = (await root.get(`${ask}/answers/${body.id}`)).body;
        return answer.finishedAt === null ? undefined : answer;
      });
    };
    await set({ candidates: 3 });
    const counted = 'select count(*) from guests';
    await provider.script(written('select 9'), written(counted), written(counted));
    expect(await answerTo('How many guests?')).toMatchObject({ rows: [['2']], votes: { agreed: 2, of: 3 } });

    await set({ candidates: 1 });
    await provider.script(written('select id, email from guests order by id'));
    const { id } = await answerTo('Who are they?');
    const explain = () => root.post(`${ask}/answers/${id}/explain`, undefined);
    expect([(await explain()).body.code, (await provider.seen()).length]).toEqual([
      'rows-kept-from-model',
      4,
    ]);
    await set({ rowsToModel: 'Masked' });
    await provider.script({ explanation: 'Two guests.' });
    expect((await explain()).body).toMatchObject({ explanation: 'Two guests.', rowCount: 2 });
    const sent = JSON.stringify((await provider.seen()).map(({ body }) => body));
    expect(sent).not.toContain('planted-guest');

    const before = (await provider.seen()).length;
    await set({ answersOnlyChecked: true });
    expect(await answerTo('Will they come?')).toMatchObject({ state: 'CannotAnswer' });
    await set({ isAskEnabled: false });
    const refused = await root.post(place, { question: 'And now?' });
    expect([refused.status, refused.body.code]).toEqual([403, 'ask-disabled']);
    expect(await provider.seen()).toHaveLength(before);
  },
);

scenario(
  ['RT-4.3-1171'],
  'an answer of a process that died counts as open until its lease ends',
  async ({ deliver, onEnd }) => {
    const provider = await startLlmProvider();
    onEnd(provider.close);
    const { svc, root, source, projectId, dataSourceId } = await deliver({
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
    });
    await source.sql('create table guests (id int)');
    await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
    const conversation = await root.post(`${ask}/conversations`, { projectId });
    // The state after a process was killed while it answered three questions of an AI client.
    await svc.sql(
      `insert into svc.answers (conversation_id, data_source_id, question, is_run, lease_until)
        select $1, $2, 'Left open', true, now() + interval '1 hour' from generate_series(1, 3)`,
      [conversation.body.id, dataSourceId],
    );
    const question = () =>
      root.post(`${ask}/conversations/${conversation.body.id}/questions`, { question: 'How many guests?' });
    const refused = await question();
    expect([refused.status, refused.body.code]).toEqual([429, 'too-many-questions']);
    await svc.sql(`update svc.answers set lease_until = now() - interval '1 millisecond'`);
    await provider.script(written('select count(*) as n from guests'));
    expect((await question()).status).toBe(201);
  },
);
