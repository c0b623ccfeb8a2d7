import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { nullable, wordOf } from '../shapes.ts';

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
  Type.Number({ minimum: 0, maximum: 100_000, description: `Of a million tokens that are ${what}.` });
const Price = Type.Object(
  { inputPerMillion: perMillion('sent'), outputPerMillion: perMillion('answered') },
  { additionalProperties: false },
);

/** Prices of the provider, in the currency of the budget. */
const LlmPrices = Type.Object(
  { main: Price, fast: Type.Optional(nullable(Price, { description: 'Null: as `main`.' })) },
  { additionalProperties: false },
);

export const LlmConnection = Type.Object({
  provider: Provider,
  api: Api,
  endpoint: nullable(Type.String({ description: "Null: the provider's own address." })),
  region: nullable(Type.String()),
  model: Type.String(),
  fastModel: nullable(Type.String({ description: 'Null: the same as `model`.' })),
  prices: nullable(LlmPrices, { description: 'Null: what calls cost is not counted.' }),
  hasApiKey: Type.Boolean(),
  hasAwsAccessKeyId: Type.Boolean(),
  hasAwsSecretAccessKey: Type.Boolean(),
  hasAwsSessionToken: Type.Boolean(),
});
export type LlmConnection = Static<typeof LlmConnection>;

export const LlmConnectionSetting = Type.Object({
  value: nullable(LlmConnection),
  isSetAtRunTime: Type.Boolean(),
  isLocked: Type.Boolean({ description: 'Configuration holds it: a change answers 409.' }),
  isEnabled: Type.Boolean({ description: 'False: `Svc:LLM:Enabled` is off, and nothing is asked.' }),
  keepsContent: Type.Boolean({
    description: '`Svc:LLM:KeepsContent`: prompts and answers are kept for seven days, for Admins.',
  }),
  needs: wordOf(['Admin']),
});
export type LlmConnectionSetting = Static<typeof LlmConnectionSetting>;

const kept =
  'Absent: the stored one stays, unless provider, address or region change or another way to sign in is given. Null: none.';
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
          description:
            'Address below which the paths of the protocol are, such as https://llm.example.org/v1.',
        }),
      ),
    ),
    region: Type.Optional(nullable(Type.String({ maxLength: 50 }))),
    model: Type.String({ minLength: 1, maxLength: 200 }),
    fastModel: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
    prices: Type.Optional(nullable(LlmPrices, { description: 'Absent or null: none.' })),
    apiKey: Secret,
    awsAccessKeyId: Secret,
    awsSecretAccessKey: Secret,
    awsSessionToken: Secret,
  },
  {
    additionalProperties: false,
    description: 'How the language model is reached. Null: as configured. Needs an Admin.',
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
    isEstimated: Type.Boolean({ description: 'The provider counted nothing: these are upper bounds.' }),
    failure: nullable(Type.String({ description: 'Code of the failure, such as `Unauthorised`.' })),
    detail: nullable(Type.String({ description: 'The failure in a sentence.' })),
  },
  { $id: 'LlmTest' },
);
export type LlmTest = Static<typeof LlmTest>;

export const testLlm = defineEndpoint({
  operationId: 'testLlm',
  tag: 'admin-settings',
  summary: 'Asks the language model one short question',
  method: 'POST',
  path: '/svc/api/admin-settings/test-llm',
  body: LlmTestInput,
  responses: { 200: LlmTest },
  access: access.administer('SecurityAdmin'),
  refusals: {
    403: 'A connection that is not stored needs an Admin.',
    409: 'No language model is set up, or it is switched off.',
  },
});
