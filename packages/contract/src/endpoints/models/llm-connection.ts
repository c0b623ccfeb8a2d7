import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { nullable, wordOf } from '../../shapes.ts';

/** Providers of language models with a supported protocol. */
export const llmProviderNames = [
  'OpenAi',
  'OpenAiCompatible',
  'Anthropic',
  'AzureOpenAi',
  'Bedrock',
] as const;

const Provider = wordOf(llmProviderNames);
const Api = wordOf(['Responses', 'ChatCompletions']);

const perMillion = (what: string) =>
  Type.Number({ minimum: 0, maximum: 100_000, description: `Price of one million tokens: ${what}.` });
const Price = Type.Object(
  { inputPerMillion: perMillion('input'), outputPerMillion: perMillion('output') },
  { additionalProperties: false },
);

/** Prices of the provider, in the currency of the budget. */
const LlmPrices = Type.Object(
  { main: Price, fast: Type.Optional(nullable(Price, { description: 'Null: the prices of `main`.' })) },
  { additionalProperties: false },
);

export const LlmConnection = Type.Object({
  provider: Provider,
  api: Api,
  endpoint: nullable(Type.String({ description: 'Null: the default address of the provider.' })),
  region: nullable(Type.String()),
  model: Type.String(),
  fastModel: nullable(Type.String({ description: 'Null: the same as `model`.' })),
  prices: nullable(LlmPrices, { description: 'Null: costs are not computed.' }),
  hasApiKey: Type.Boolean(),
  hasAwsAccessKeyId: Type.Boolean(),
  hasAwsSecretAccessKey: Type.Boolean(),
  hasAwsSessionToken: Type.Boolean(),
});
export type LlmConnection = Static<typeof LlmConnection>;

export const LlmConnectionSetting = Type.Object({
  value: nullable(LlmConnection),
  isSetAtRunTime: Type.Boolean(),
  isLocked: Type.Boolean({ description: 'Configuration sets this value. A change returns 409.' }),
  isEnabled: Type.Boolean({
    description: 'False: `Svc:LLM:Enabled` is off, and no calls to the model are made.',
  }),
  keepsContent: Type.Boolean({
    description:
      'Value of `Svc:LLM:KeepsContent`. True: prompts and answers are stored for seven days, and Admins can read them.',
  }),
  needs: wordOf(['Admin']),
});
export type LlmConnectionSetting = Static<typeof LlmConnectionSetting>;

const kept =
  'Absent: the stored secret remains, unless provider, address or region change or the request contains other credentials. Null: removes the secret.';
const Secret = Type.Optional(
  nullable(Type.String({ minLength: 1, maxLength: 4_000, writeOnly: true, description: kept })),
);

export const LlmConnectionInput = Type.Object(
  {
    provider: Provider,
    api: Type.Optional(Api),
    endpoint: Type.Optional(
      nullable(
        Type.String({
          maxLength: 500,
          description: 'Base address of the API, such as https://llm.example.org/v1.',
        }),
      ),
    ),
    region: Type.Optional(nullable(Type.String({ maxLength: 50 }))),
    model: Type.String({ minLength: 1, maxLength: 200 }),
    fastModel: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
    prices: Type.Optional(nullable(LlmPrices, { description: 'Absent or null: no prices.' })),
    apiKey: Secret,
    awsAccessKeyId: Secret,
    awsSecretAccessKey: Secret,
    awsSessionToken: Secret,
  },
  {
    additionalProperties: false,
    description: 'Connection to the language model. Null: as configured. Only an Admin may change it.',
  },
);
export type LlmConnectionInput = Static<typeof LlmConnectionInput>;

export const LlmTestInput = Type.Object({ llmConnection: Type.Optional(LlmConnectionInput) });
export type LlmTestInput = Static<typeof LlmTestInput>;

export const LlmTest = Type.Object(
  {
    ok: Type.Boolean(),
    model: Type.String(),
    latencyMs: Type.Integer(),
    inputTokens: Type.Integer(),
    outputTokens: Type.Integer(),
    isEstimated: Type.Boolean({
      description: 'The provider did not count the tokens. The numbers are upper bounds.',
    }),
    failure: nullable(Type.String({ description: 'Code of the failure, such as `Unauthorised`.' })),
    detail: nullable(Type.String({ description: 'Description of the failure.' })),
  },
  { $id: 'LlmTest' },
);
export type LlmTest = Static<typeof LlmTest>;

export const testLlm = defineEndpoint({
  operationId: 'testLlm',
  tag: 'admin-settings',
  summary: 'Sends one short question to the language model',
  method: 'POST',
  path: '/svc/api/admin-settings/test-llm',
  body: LlmTestInput,
  responses: { 200: LlmTest },
  access: access.administer('SecurityAdmin'),
  refusals: {
    403: 'Only an Admin may test a connection that is not stored.',
    409: 'No language model is configured, or it is disabled.',
  },
});
