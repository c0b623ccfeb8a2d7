import { randomBytes } from 'node:crypto';
import type { LlmConnectionInput } from '@svc/contract';
import { type Answer, createHttpClient } from '@svc/testkit/client/http-client.ts';
import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type McpFixture, startMcpFixture } from './domains/mcp/testing/fixture.ts';

/** Providers that repeat the received key in every possible place. The tests then search all stored data. */
let provider: LlmProviderProcess;
let fixture: McpFixture;
let mcpKey: string;
const answers: string[] = [];
const settings = '/svc/api/admin-settings';

beforeAll(async () => {
  provider = await startLlmProvider();
  fixture = await startMcpFixture({
    config: {
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:KeepsContent': true,
      'Svc:LLM:CallsPerMinute': 100_000,
      'Svc:LLM:TokensPerMinute': 1_000_000_000,
      'Svc:LLM:DailyTokensPerUser': 1_000_000_000,
      'Svc:Logging:Level': 'trace',
    },
  });
  mcpKey = (await fixture.key([fixture.sales])).authorization;
  await fixture.root.post(`/svc/api/data-sources/${fixture.salesSource}/refresh-metadata`, {});
});
afterAll(async () => {
  await fixture?.close();
  await provider?.close();
});

/** Returns a unique text. */
const plant = (): string => `planted${randomBytes(12).toString('hex')}`;

async function recordAnswer(request: Promise<Answer>): Promise<Answer> {
  const answer = await request;
  answers.push(`${[...answer.headers].join()} ${answer.text}`);
  return answer;
}

/** Returns every row of every table of the service and of its job library, as text. */
async function storedTexts(): Promise<string[]> {
  const { database } = fixture.svc;
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(30);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await database.query<{ text: string }>(`select t::text as text from ${name} t`);
    texts.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return texts;
}

const spellingsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret, 'utf8');
  // The last characters of base64 depend on the following bytes.
  return [secret, bytes.toString('hex'), bytes.toString('base64').slice(0, -3)];
};

type Kind = readonly [LlmConnectionInput['provider'], LlmConnectionInput['api'], path: string];
const kinds: readonly Kind[] = [
  ['OpenAi', 'Responses', '/v1'],
  ['OpenAi', 'ChatCompletions', '/v1'],
  ['OpenAiCompatible', 'ChatCompletions', '/v1'],
  ['Anthropic', 'ChatCompletions', '/v1'],
  ['AzureOpenAi', 'ChatCompletions', ''],
  ['Bedrock', 'ChatCompletions', ''],
];

const bearing = (): { readonly apiKey: string } => ({ apiKey: plant() });
/** Removes the stored key of the provider, which would take precedence. */
const signing = () => ({
  apiKey: null,
  awsAccessKeyId: plant(),
  awsSecretAccessKey: plant(),
  awsSessionToken: plant(),
});

/** Behaviours of a provider towards one short question. */
const behaviours = [
  'status-400',
  'status-401',
  'status-404',
  'status-429',
  'status-500',
  'echo-refusal-headers',
  'echo-headers',
  'echo-failure',
  'echo-redirect',
  'page',
  'cut',
  'echo',
  'echo:{{key}}',
  'echo:{"word":"{{key}}"}',
  'filter:{{key}}',
  'length:{{key}}',
];
const missing =
  '{"kind":"CannotAnswer","sql":null,"assumptions":["{{key}}"],"question":null,"options":[],"missing":"{{key}}"}';
/** Behaviours while users and programs request answers. */
const longBehaviours = ['echo-refusal-headers', 'echo-failure', `good:${missing}`];

async function askEverywhere(): Promise<void> {
  const { root, sales, salesSource } = fixture;
  const talk = await root.post('/svc/api/ask/conversations', { projectId: sales });
  const question = `What is ${randomBytes(4).toString('hex')}?`;
  const questions = `/svc/api/ask/conversations/${talk.body.id}/questions`;
  const { body: pendingAnswer } = await recordAnswer(
    root.post(questions, { question, dataSourceId: salesSource }),
  );
  const answer = `/svc/api/ask/answers/${pendingAnswer.id}`;
  await until('the end of an answer', async () =>
    (await root.get(answer)).body.finishedAt === null ? undefined : true,
  );
  expect((await recordAnswer(root.get(answer))).body.state).toBe('Failed');
  const program = createHttpClient(fixture.svc.origin, mcpKey);
  const params = { name: 'ask', arguments: { question, data_source: salesSource } };
  const called = await recordAnswer(
    program.post('/svc/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  );
  expect(called.text).toContain('could not be answered');
  await recordAnswer(
    root.post(`/svc/api/projects/${sales}/documentation/Notes/instruct`, {
      instruction: 'Shorter.',
      content: 'A long text.',
    }),
  );
}

async function readEverything(): Promise<void> {
  const { root } = fixture;
  for (const path of [
    settings,
    '/svc/api/llm/status',
    '/svc/api/llm/usage',
    '/svc/api/llm/usage?by=Model',
    '/svc/api/mcp/audit?pageSize=200',
    '/svc/api/ask/conversations?pageSize=200',
  ])
    expect((await recordAnswer(root.get(path))).status, path).toBe(200);
  for (let page = 0; ; page += 1) {
    const { body } = await recordAnswer(root.get(`/svc/api/llm/calls?pageSize=200&page=${page}`));
    for (const { id, isContentKept } of body.items)
      if (isContentKept)
        expect((await recordAnswer(root.get(`/svc/api/llm/calls/${id}/content`))).status).toBe(200);
    if (page + 1 >= body.pageCount) return;
  }
}

test('a key that a provider repeats appears in no row, no line of the log and no answer', async () => {
  const { root } = fixture;
  const planted: string[] = [];
  const setups = [
    ...kinds.map((kind) => ({ kind, secrets: bearing() })),
    ...kinds.filter(([name]) => name === 'Bedrock').map((kind) => ({ kind, secrets: signing() })),
  ];
  for (const { kind, secrets } of setups) {
    const [name, api, path] = kind;
    const plantedSecrets = Object.values(secrets).filter((secret) => secret !== null);
    planted.push(...plantedSecrets);
    const connection = (model: string) => ({
      provider: name,
      api,
      endpoint: `${provider.origin}${path}`,
      region: 'eu-central-1',
      model,
      ...secrets,
    });
    const sentBefore = (await provider.seen()).length;
    for (const model of behaviours) {
      const { body } = await recordAnswer(
        root.post(`${settings}/test-llm`, { llmConnection: connection(model) }),
      );
      expect([name, model, body.ok]).toEqual([name, model, false]);
    }
    for (const model of longBehaviours) {
      const saved = await recordAnswer(root.put(settings, { llmConnection: connection(model) }));
      expect(saved.status, saved.text).toBe(200);
      await askEverywhere();
    }
    // The secret was really sent: the search uses the sent value.
    const sent = JSON.stringify((await provider.seen()).slice(sentBefore).map(({ headers }) => headers));
    expect([name, plantedSecrets.some((secret) => sent.includes(secret))]).toEqual([name, true]);
  }
  await readEverything();
  const places = {
    rows: await storedTexts(),
    lines: fixture.svc.log.map((line) => JSON.stringify(line)),
    answers,
  };
  expect(JSON.stringify(places.lines)).toContain('a call to the language model failed');
  const leaks = Object.entries(places).flatMap(([place, texts]) =>
    texts
      .filter((text) =>
        planted.some((secret) => spellingsOf(secret).some((spelling) => text.includes(spelling))),
      )
      .map((text) => `${place}: ${text.slice(0, 300)}`),
  );
  expect(leaks).toEqual([]);
}, 120_000);
