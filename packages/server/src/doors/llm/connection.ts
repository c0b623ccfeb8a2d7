import type { LlmPrice } from './budget/ledger.ts';

/** The providers whose protocols are spoken. */
export const llmProviders = ['OpenAi', 'OpenAiCompatible', 'Anthropic', 'AzureOpenAi', 'Bedrock'] as const;

/** One of `llmProviders`. */
export type LlmProvider = (typeof llmProviders)[number];

/** What proves to a provider who calls. */
export type LlmSecrets = {
  readonly apiKey?: string | undefined;
  readonly awsAccessKeyId?: string | undefined;
  readonly awsSecretAccessKey?: string | undefined;
  readonly awsSessionToken?: string | undefined;
};

/** What the two models cost; `fast` null: as `main`. */
export type LlmPrices = { readonly main: LlmPrice; readonly fast: LlmPrice | null };

/** How a model is reached. */
export type LlmConnection = {
  readonly provider: LlmProvider;
  /** Which of its two protocols OpenAI is asked in; other providers have one. */
  readonly api: 'Responses' | 'ChatCompletions';
  /** Address below which the protocol's paths are; null: the provider's own. */
  readonly endpoint: string | null;
  /** Of Bedrock. */
  readonly region: string | null;
  readonly model: string;
  /** Null: the same as `model`. */
  readonly fastModel: string | null;
  /** Null: what calls cost is not counted. */
  readonly prices: LlmPrices | null;
  readonly secrets: LlmSecrets;
};

/** Regions as AWS names them: the name becomes part of a host. */
export const regionShape = /^[a-z]{2}(-[a-z]+)+-\d{1,2}$/;

/** Where the requests of a connection begin, without a slash at the end; undefined when it lacks what says so. */
export function baseUrlOf(connection: Pick<LlmConnection, 'provider' | 'endpoint' | 'region'>) {
  const endpoint = connection.endpoint?.replace(/\/+$/, '');
  switch (connection.provider) {
    case 'OpenAi':
      return endpoint ?? 'https://api.openai.com/v1';
    case 'Anthropic':
      return endpoint ?? 'https://api.anthropic.com/v1';
    case 'OpenAiCompatible':
      return endpoint;
    case 'AzureOpenAi':
      return endpoint === undefined || endpoint.endsWith('/openai/v1') ? endpoint : `${endpoint}/openai/v1`;
    case 'Bedrock':
      if (endpoint !== undefined) return endpoint;
      return connection.region !== null && regionShape.test(connection.region)
        ? `https://bedrock-runtime.${connection.region}.amazonaws.com`
        : undefined;
  }
}
