import type { LlmConnectionInput, LlmConnection as ShownConnection } from '@svc/contract';
import {
  baseUrlOf,
  type LlmConnection,
  type LlmPrice,
  type LlmPrices,
  type LlmProvider,
  type LlmSecrets,
  llmProviders,
} from '../../gateways/llm/index.ts';
import type { Config } from '../../platform/config/index.ts';

/** Name of the setting in the history and in the configuration's list of locked settings. */
export const llmConnectionName = 'llmConnection';
/** Key of the stored row. */
export const llmConnectionKey = 'LLM.Connection';

/** All members except the secrets: stored in plain text, shown and logged. */
export type OpenPart = Omit<LlmConnection, 'secrets'>;

const isProvider = (text: unknown): text is LlmProvider => llmProviders.some((name) => name === text);
const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

function parsePrice(value: unknown): LlmPrice | null {
  const { inputPerMillion, outputPerMillion } = Object(value) as Record<string, unknown>;
  return typeof inputPerMillion === 'number' && typeof outputPerMillion === 'number'
    ? { inputPerMillion, outputPerMillion }
    : null;
}

function parsePrices(value: unknown): LlmPrices | null {
  const { main, fast } = Object(value) as Record<string, unknown>;
  const price = parsePrice(main);
  return price === null ? null : { main: price, fast: parsePrice(fast) };
}

/** Parses a stored value. Returns undefined for an invalid value. */
export function parseOpenPart(value: unknown): OpenPart | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const member = (name: keyof OpenPart): unknown => Reflect.get(value, name);
  const provider = member('provider');
  const model = textOrNull(member('model'));
  if (!isProvider(provider) || model === null) return undefined;
  return {
    provider,
    api: member('api') === 'ChatCompletions' ? 'ChatCompletions' : 'Responses',
    endpoint: textOrNull(member('endpoint')),
    region: textOrNull(member('region')),
    model,
    fastModel: textOrNull(member('fastModel')),
    prices: parsePrices(member('prices')),
  };
}

const secretNames = ['apiKey', 'awsAccessKeyId', 'awsSecretAccessKey', 'awsSessionToken'] as const;

/** Parses the secrets of a decrypted text. */
export function parseSecrets(text: string): LlmSecrets {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    secretNames.flatMap((name) => {
      const secret = textOrNull(Reflect.get(value, name));
      return secret === null ? [] : [[name, secret]];
    }),
  );
}

/** Returns true if the secrets of one connection may be sent to the destination of the other. */
export const isSamePlace = (one: OpenPart, other: OpenPart): boolean =>
  one.provider === other.provider && baseUrlOf(one) === baseUrlOf(other) && one.region === other.region;

const ofAws = ['awsAccessKeyId', 'awsSecretAccessKey', 'awsSessionToken'] as const;

/**
 * Returns the stored secrets that new ones replace. A provider uses one kind of credentials and prefers the API key. A
 * session token is valid only with its access key.
 */
function replacedBy(input: LlmConnectionInput): ReadonlySet<string> {
  const isGiven = (name: (typeof secretNames)[number]) => (input[name]?.trim() ?? '') !== '';
  return new Set([
    ...(isGiven('apiKey') ? ofAws : []),
    ...(ofAws.some(isGiven) ? ['apiKey'] : []),
    ...(isGiven('awsAccessKeyId') ? ['awsSessionToken'] : []),
  ]);
}

/**
 * Returns the secrets after a change: new ones, and stored ones if the destination is the same and no new secret replaces
 * them.
 */
export function secretsAfter(
  input: LlmConnectionInput,
  next: OpenPart,
  stored: LlmConnection | undefined,
): LlmSecrets {
  const kept = stored !== undefined && isSamePlace(stored, next) ? stored.secrets : {};
  const replaced = replacedBy(input);
  return Object.fromEntries(
    secretNames.flatMap((name) => {
      const given = input[name];
      const secret = given === undefined && !replaced.has(name) ? kept[name] : given?.trim();
      return secret === undefined || secret === '' ? [] : [[name, secret]];
    }),
  );
}

/** Returns the path and the message for an invalid input, or undefined for a valid one. */
export function refusedPart(part: OpenPart): { readonly path: string; readonly message: string } | undefined {
  if (baseUrlOf(part) !== undefined) return undefined;
  return part.provider === 'Bedrock'
    ? {
        path: '/llmConnection/region',
        message: 'Bedrock needs a region such as eu-central-1, or an address.',
      }
    : { path: '/llmConnection/endpoint', message: 'This provider needs an address.' };
}

/** Converts an input to its stored form. */
export const openPartOf = (input: LlmConnectionInput): OpenPart => ({
  provider: input.provider,
  api: input.api ?? 'Responses',
  endpoint: textOrNull(input.endpoint?.trim().replace(/\/+$/, '')),
  region: textOrNull(input.region?.trim()),
  model: input.model.trim(),
  fastModel: textOrNull(input.fastModel?.trim()),
  prices: input.prices ? { main: input.prices.main, fast: input.prices.fast ?? null } : null,
});

function configuredPrices(config: Config): unknown {
  const price = (inputPerMillion: number | undefined, outputPerMillion: number | undefined) => ({
    inputPerMillion,
    outputPerMillion,
  });
  return {
    main: price(config['Svc:LLM:InputPrice'], config['Svc:LLM:OutputPrice']),
    fast: price(config['Svc:LLM:FastInputPrice'], config['Svc:LLM:FastOutputPrice']),
  };
}

/**
 * Reads the connection from the configuration.
 *
 * @throws Error with the name of a missing setting.
 */
export function configuredConnection(config: Config): LlmConnection | undefined {
  const provider = config['Svc:LLM:Provider'];
  if (provider === undefined) return undefined;
  const part = parseOpenPart({
    provider,
    api: config['Svc:LLM:Api'],
    endpoint: config['Svc:LLM:Endpoint']?.replace(/\/+$/, ''),
    region: config['Svc:LLM:Region'],
    model: config['Svc:LLM:Model'],
    fastModel: config['Svc:LLM:FastModel'],
    prices: configuredPrices(config),
  });
  if (part === undefined) throw new Error('The setting Svc:LLM:Provider needs Svc:LLM:Model.');
  const refused = refusedPart(part);
  if (refused !== undefined)
    throw new Error(
      `The setting Svc:LLM:Provider needs ${provider === 'Bedrock' ? 'Svc:LLM:Region' : 'Svc:LLM:Endpoint'}. ${refused.message}`,
    );
  return {
    ...part,
    secrets: {
      apiKey: config['Svc:LLM:ApiKey'],
      awsAccessKeyId: config['Svc:LLM:AwsAccessKeyId'],
      awsSecretAccessKey: config['Svc:LLM:AwsSecretAccessKey'],
      awsSessionToken: config['Svc:LLM:AwsSessionToken'],
    },
  };
}

/** Returns a connection for display. It states only whether secrets exist. */
export const presentConnection = ({ secrets, ...part }: LlmConnection): ShownConnection => ({
  provider: part.provider,
  api: part.api,
  endpoint: part.endpoint,
  region: part.region,
  model: part.model,
  fastModel: part.fastModel,
  prices: part.prices,
  hasApiKey: secrets.apiKey !== undefined,
  hasAwsAccessKeyId: secrets.awsAccessKeyId !== undefined,
  hasAwsSecretAccessKey: secrets.awsSecretAccessKey !== undefined,
  hasAwsSessionToken: secrets.awsSessionToken !== undefined,
});

const priceText = (prices: LlmPrices | null): string | null =>
  prices &&
  [prices.main, ...(prices.fast ? [prices.fast] : [])]
    .map(({ inputPerMillion, outputPerMillion }) => `${inputPerMillion}/${outputPerMillion}`)
    .join(' and ');

/** Returns a one-line summary of a connection for the history and the audit. */
export function summaryOf(connection: LlmConnection, areSecretsNew: boolean): string {
  const { provider, model, fastModel, endpoint, region, prices, secrets } = connection;
  const hasSecrets = Object.values(secrets).some((secret) => secret !== undefined);
  const key = areSecretsNew ? 'new key' : 'same key';
  const parts = [
    provider,
    model,
    fastModel,
    endpoint,
    region,
    priceText(prices),
    hasSecrets ? key : 'no key',
  ];
  return parts.filter((part) => part !== null).join(', ');
}
