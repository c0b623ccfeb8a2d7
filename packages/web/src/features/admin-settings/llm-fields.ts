import type { LlmConnection, LlmConnectionInput } from '@svc/contract';

export type LlmProvider = LlmConnection['provider'];
export const secretNames = ['apiKey', 'awsAccessKeyId', 'awsSecretAccessKey', 'awsSessionToken'] as const;
export type SecretName = (typeof secretNames)[number];

export const priceNames = ['mainInput', 'mainOutput', 'fastInput', 'fastOutput'] as const;
export type PriceName = (typeof priceNames)[number];

/** Values in the form of a connection. An empty text means no value. */
export type LlmDraft = {
  readonly provider: LlmProvider;
  readonly api: 'Responses' | 'ChatCompletions';
  readonly endpoint: string;
  readonly region: string;
  readonly model: string;
  readonly fastModel: string;
  /** Price per million tokens. Empty: unknown. */
  readonly prices: Readonly<Record<PriceName, number | string>>;
  /** New secrets. An empty text leaves the stored secret unchanged. */
  readonly secrets: Readonly<Record<SecretName, string>>;
  /** Stored secrets that the user wants to delete. */
  readonly forgotten: readonly SecretName[];
};

/** Providers with their usual names. */
export const providers: readonly { readonly value: LlmProvider; readonly label: string }[] = [
  { value: 'OpenAi', label: 'OpenAI' },
  { value: 'OpenAiCompatible', label: 'OpenAI-compatible server' },
  { value: 'Anthropic', label: 'Anthropic' },
  { value: 'AzureOpenAi', label: 'Azure OpenAI' },
  { value: 'Bedrock', label: 'Amazon Bedrock' },
];

export const secretLabels: Readonly<Record<SecretName, string>> = {
  apiKey: 'API key',
  awsAccessKeyId: 'AWS access key ID',
  awsSecretAccessKey: 'AWS secret access key',
  awsSessionToken: 'AWS session token (optional)',
};

/** Returns the fields that a provider needs in addition to its models. */
export const partsOf = (provider: LlmProvider) => ({
  api: provider === 'OpenAi',
  isEndpointNeeded: provider === 'OpenAiCompatible' || provider === 'AzureOpenAi',
  region: provider === 'Bedrock',
  secrets: secretNames.filter((name) => (provider === 'Bedrock' ? name !== 'apiKey' : name === 'apiKey')),
});

const noSecrets = { apiKey: '', awsAccessKeyId: '', awsSecretAccessKey: '', awsSessionToken: '' };

/** Returns the form values of a stored connection, or of a new one for null. */
export const draftOf = (connection: LlmConnection | null): LlmDraft => ({
  provider: connection?.provider ?? 'OpenAi',
  api: connection?.api ?? 'Responses',
  endpoint: connection?.endpoint ?? '',
  region: connection?.region ?? '',
  model: connection?.model ?? '',
  fastModel: connection?.fastModel ?? '',
  prices: {
    mainInput: connection?.prices?.main.inputPerMillion ?? '',
    mainOutput: connection?.prices?.main.outputPerMillion ?? '',
    fastInput: connection?.prices?.fast?.inputPerMillion ?? '',
    fastOutput: connection?.prices?.fast?.outputPerMillion ?? '',
  },
  secrets: noSecrets,
  forgotten: [],
});

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Converts a field to a number. An empty field becomes NaN, so that the service refuses it. */
const numberOf = (value: number | string): number => (value === '' ? Number.NaN : Number(value));
const priceOf = (input: number | string, output: number | string) => ({
  inputPerMillion: numberOf(input),
  outputPerMillion: numberOf(output),
});

/**
 * Returns the prices to send. If only one half of a price has a value, the service refuses the missing half at its
 * field.
 */
function pricesOf({ prices, fastModel }: LlmDraft): LlmConnection['prices'] {
  const { mainInput, mainOutput, fastInput, fastOutput } = prices;
  const hasFast = fastModel.trim() !== '' && !(fastInput === '' && fastOutput === '');
  if (mainInput === '' && mainOutput === '' && !hasFast) return null;
  return { main: priceOf(mainInput, mainOutput), fast: hasFast ? priceOf(fastInput, fastOutput) : null };
}

/** Returns the request body of a draft, with only the fields that its provider needs. */
export function inputOf(draft: LlmDraft): LlmConnectionInput {
  const parts = partsOf(draft.provider);
  const secrets = parts.secrets.flatMap((name): (readonly [SecretName, string | null])[] => {
    if (draft.secrets[name] !== '') return [[name, draft.secrets[name]]];
    return draft.forgotten.includes(name) ? [[name, null]] : [];
  });
  return {
    provider: draft.provider,
    ...(parts.api && { api: draft.api }),
    endpoint: textOrNull(draft.endpoint),
    region: parts.region ? textOrNull(draft.region) : null,
    model: draft.model.trim(),
    fastModel: textOrNull(draft.fastModel),
    prices: pricesOf(draft),
    ...Object.fromEntries(secrets),
  };
}

const hasName = {
  apiKey: 'hasApiKey',
  awsAccessKeyId: 'hasAwsAccessKeyId',
  awsSecretAccessKey: 'hasAwsSecretAccessKey',
  awsSessionToken: 'hasAwsSessionToken',
} as const;

/**
 * Returns true if a stored secret remains stored with these form values. A change of provider, origin or region
 * discards it, so that a secret never goes to another server.
 */
export function isKept(connection: LlmConnection | null, draft: LlmDraft, name: SecretName): boolean {
  if (connection === null || !connection[hasName[name]] || draft.forgotten.includes(name)) return false;
  // A session token is valid only with the access key that it was issued with.
  if (name === 'awsSessionToken' && draft.secrets.awsAccessKeyId !== '') return false;
  const { provider, endpoint, region } = connection;
  const parts = partsOf(draft.provider);
  return (
    provider === draft.provider &&
    originOf(endpoint) === originOf(textOrNull(draft.endpoint)) &&
    (region ?? '') === (parts.region ? draft.region.trim() : '')
  );
}

const originOf = (endpoint: string | null): string =>
  endpoint !== null && URL.canParse(endpoint) ? new URL(endpoint).origin : (endpoint ?? '');
