import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';

export const askPath = '/svc/api/ask';

type Members = Readonly<Record<string, unknown>>;

/** Returns an answer in the schema of the model. */
export const modelAnswer = (members: Members) => ({
  kind: 'Sql',
  sql: null,
  assumptions: [],
  question: null,
  options: [],
  missing: null,
  ...members,
});

/** Returns an answer of the model with a statement. */
export const writes = (sql: string, members: Members = {}) => modelAnswer({ sql, ...members });

export type Client = RunFixture['root'];

/** Starts a conversation and returns its path. */
export async function startConversation(client: Client, projectId: number): Promise<string> {
  const { status, body } = await client.post(`${askPath}/conversations`, { projectId });
  expect(status).toBe(201);
  return `${askPath}/conversations/${body.id}`;
}

/** Waits until an answer has ended and returns it. */
export const waitForEnd = (client: Client, id: number) =>
  until('the end of an answer', async () => {
    const { body } = await client.get(`${askPath}/answers/${id}`);
    return body.finishedAt === null ? undefined : body;
  });

export type AskFixture = RunFixture & {
  readonly provider: LlmProviderProcess;
  /** Starts a conversation in the project of the fixture. */
  readonly converse: (client?: Client) => Promise<string>;
  readonly ended: (id: number, client?: Client) => ReturnType<typeof waitForEnd>;
  /** Asks a question as root and waits for its answer. */
  readonly ask: (question: string, members?: Members, conversation?: string) => ReturnType<typeof waitForEnd>;
  /** Returns the data of the last request to the model. */
  readonly sentData: () => Promise<{ name: string; text: string }[]>;
};

/** Starts a service with a scripted language model and a data source with known metadata. */
export async function startAskFixture(): Promise<AskFixture> {
  const provider = await startLlmProvider();
  const fixture = await startRunFixture({
    config: {
      'Svc:LLM:TrustedHosts': ['127.0.0.1'],
      'Svc:LLM:Provider': 'OpenAiCompatible',
      'Svc:LLM:Endpoint': `${provider.origin}/v1`,
      'Svc:LLM:Model': 'script',
      'Svc:LLM:ApiKey': 'sk-planted-key-0123456789abcdef',
      'Svc:LLM:InputPrice': '2.5',
      'Svc:LLM:OutputPrice': 10,
    },
  });
  const { root, projectId, sourceId } = fixture;
  await root.post(`/svc/api/data-sources/${sourceId}/refresh-metadata`, {});
  const converse = (client: Client = root) => startConversation(client, projectId);
  const ended = (id: number, client: Client = root) => waitForEnd(client, id);
  return {
    ...fixture,
    provider,
    converse,
    ended,
    ask: async (question, members = {}, conversation) => {
      const place = conversation ?? (await converse());
      const { status, body } = await root.post(`${place}/questions`, { question, ...members });
      expect(status, JSON.stringify(body)).toBe(201);
      expect(body).toMatchObject({ state: 'Waiting', jobId: expect.any(String) });
      return ended(body.id);
    },
    sentData: async () => {
      const { body } = (await provider.seen()).at(-1) ?? { body: {} };
      const [, message] = (body as { messages: { content: string | { text: string }[] }[] }).messages;
      const content = message?.content ?? '';
      return JSON.parse(typeof content === 'string' ? content : (content[0]?.text ?? ''));
    },
    close: async () => {
      await fixture.close();
      await provider.close();
    },
  };
}
