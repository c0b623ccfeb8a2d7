import { LLMock } from '@copilotkit/aimock';
import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOutbound, llmPolicy, type Outbound } from '../../platform/outbound/index.ts';
import type { LlmConnection } from './connection.ts';
import { createLlm, type LlmOptions } from './create-llm.ts';
import type { LlmCall } from './port.ts';

/** Independent server, written by others from the providers' documentation. Our own fake may share our mistakes. */
const mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
let outbound: Outbound;

beforeAll(async () => {
  await mock.start();
  outbound = createOutbound({ log: () => undefined });
});
afterAll(async () => {
  await outbound.close();
  await mock.stop();
});
beforeEach(() => {
  mock.reset();
});

const schema = Type.Object({ answer: Type.String() }, { additionalProperties: false });
const request: LlmCall<typeof schema> = {
  purpose: 'Test',
  role: 'Main',
  instructions: 'Say yes.',
  data: [{ name: 'question', text: 'Is it so?' }],
  schema,
  maxOutputTokens: 50,
  charge: { userId: null, projectId: null },
};

/** Usage in the field names of each protocol. */
const usage = { prompt_tokens: 12, completion_tokens: 5, input_tokens: 12, output_tokens: 5 };

type Which = readonly [
  provider: LlmConnection['provider'],
  api: LlmConnection['api'],
  path: string,
  asked: string,
  isTool: boolean,
];

/** Provider, protocol, base path, request path, and whether the value is the input of a tool. */
const protocols: readonly Which[] = [
  ['OpenAi', 'Responses', '/v1', '/v1/responses', false],
  ['OpenAi', 'ChatCompletions', '/v1', '/v1/chat/completions', false],
  ['OpenAiCompatible', 'ChatCompletions', '/v1', '/v1/chat/completions', false],
  ['Anthropic', 'ChatCompletions', '/v1', '/v1/messages', true],
  ['AzureOpenAi', 'ChatCompletions', '', '/openai/v1/chat/completions', false],
  ['Bedrock', 'ChatCompletions', '', '/model/a-model/converse-stream', true],
];

describe.each(protocols)('%s by %s', (provider, api, path, requestPath, isTool) => {
  const call = () =>
    createLlm({
      outbound,
      policy: llmPolicy({ trustedHosts: ['127.0.0.1'] }),
      log: { warn: () => undefined } as unknown as LlmOptions['log'],
      pausesMs: [],
      connection: async () => ({
        provider,
        api,
        endpoint: `${mock.url}${path}`,
        region: 'eu-central-1',
        model: 'a-model',
        fastModel: null,
        prices: null,
        secrets: { apiKey: 'a-key-of-nobody' },
      }),
    }).call(request);
  const says = (value: string, more: { readonly finishReason?: string } = {}) => {
    const counted = { usage, ...more };
    if (isTool) mock.onMessage(/./, { toolCalls: [{ name: 'json', arguments: value }], ...counted });
    else mock.onMessage(/./, { content: value, ...counted });
  };

  test('returns a value of the schema with the counted tokens', async () => {
    says('{"answer":"yes"}');
    expect(await call()).toMatchObject({
      kind: 'Value',
      value: { answer: 'yes' },
      tokens: { input: 12, output: 5, isEstimated: false },
    });
    expect(mock.getLastRequest()?.path).toBe(requestPath);
  });

  test('fails after two requests if the text is no value of the schema', async () => {
    says('{"answer":1}');
    expect(await call()).toMatchObject({
      kind: 'Failed',
      failure: 'BadAnswer',
      tokens: { input: 24, output: 10, isEstimated: false },
    });
  });

  test.each([
    [401, 'Unauthorised'],
    [404, 'UnknownModel'],
    [429, 'RateLimited'],
    [500, 'Overloaded'],
  ] as const)('reports status %i as %s, at no cost', async (status, failure) => {
    mock.nextRequestError(status, { message: 'Not so.', type: 'some_error' });
    expect(await call()).toMatchObject({ kind: 'Failed', failure, tokens: { input: 0, output: 0 } });
  });

  // The server does not support the event `response.incomplete` of the Responses protocol.
  if (api !== 'Responses')
    test('reports an answer that is out of tokens as cut short', async () => {
      says('{"answer":"ye', { finishReason: 'length' });
      expect(await call()).toMatchObject({ kind: 'Failed', failure: 'CutShort' });
    });
});
