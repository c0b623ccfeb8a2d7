import type { LlmPrice } from './budget/ledger.ts';

/** Providers whose protocols the gateway supports. */
export const llmProviders = ['OpenAi', 'OpenAiCompatible', 'Anthropic', 'AzureOpenAi', 'Bedrock'] as const;

export type LlmProvider = (typeof llmProviders)[number];

/** Credentials for a provider. */
export type LlmSecrets = {
  readonly apiKey?: string | undefined;
  readonly awsAccessKeyId?: string | undefined;
  readonly awsSecretAccessKey?: string | undefined;
  readonly awsSessionToken?: string | undefined;
};

/** Prices of the two models. `fast` null: the price of `main` applies. */
export type LlmPrices = { readonly main: LlmPrice; readonly fast: LlmPrice | null };

/** Settings of a connection to a model. */
export type LlmConnection = {
  readonly provider: LlmProvider;
  /** Protocol for OpenAI, which has two. Other providers have one. */
  readonly api: 'Responses' | 'ChatCompletions';
  /** Base address of the protocol. Null: the provider's default. */
  readonly endpoint: string | null;
  /** Only for Bedrock. */
  readonly region: string | null;
  readonly model: string;
  /** Null: the same as `model`. */
  readonly fastModel: string | null;
  /** Null: the cost of calls is not counted. */
  readonly prices: LlmPrices | null;
  readonly secrets: LlmSecrets;
};

/** Form of AWS region names. The name becomes part of a host name. */
export const regionShape = /^[a-z]{2}(-[a-z]+)+-\d{1,2}$/;

/**
 * Returns the base URL of a connection, without a trailing slash. Undefined if the connection has no endpoint or region
 * that the provider needs.
 */
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
