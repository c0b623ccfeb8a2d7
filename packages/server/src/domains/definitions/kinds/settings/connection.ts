import type { LlmConnectionInput } from '@svc/contract';
import * as contract from '@svc/contract';
import { type Static, Type } from 'typebox';
import { isSamePlace, openPartOf } from '../../../admin-settings/index.ts';
import { shortened } from '../canonical.ts';
import type { SecretReference } from '../kind.ts';
import { secretMissing, secretNameOf } from '../secret-names.ts';
import { SecretRef } from '../shapes.ts';

const { provider, api, endpoint, region, model, fastModel, prices } = contract.LlmConnectionInput.properties;
export const Connection = Type.Object(
  {
    provider,
    api,
    endpoint,
    region,
    model,
    fastModel,
    prices,
    apiKey: Type.Optional(SecretRef),
    awsAccessKeyId: Type.Optional(SecretRef),
    awsSecretAccessKey: Type.Optional(SecretRef),
    awsSessionToken: Type.Optional(SecretRef),
  },
  { description: 'How the language model is reached. Needs an Admin.' },
);
export type Connection = Static<typeof Connection>;

/** Secret members of the connection, with their names in an export. */
const secretNames = {
  apiKey: 'API_KEY',
  awsAccessKeyId: 'AWS_ACCESS_KEY_ID',
  awsSecretAccessKey: 'AWS_SECRET_ACCESS_KEY',
  awsSessionToken: 'AWS_SESSION_TOKEN',
} as const;
type SecretMember = keyof typeof secretNames;
const secretMembers = Object.keys(secretNames) as SecretMember[];
const pointerOf = (member: SecretMember): string => `/llmConnection/${member}`;

/** Converts the connection without its secrets to the format of the service. */
const openInput = (connection: Connection): LlmConnectionInput => {
  const { provider, api, endpoint, region, model, fastModel, prices } = connection;
  return shortened({ provider, api, endpoint, region, model, fastModel, prices } as LlmConnectionInput, {});
};

/** Removes defaults and orders the members. */
export function canonicalConnection(connection: Connection): Connection {
  const { api, prices, provider, endpoint, region, model, fastModel } = openPartOf(openInput(connection));
  return shortened(
    {
      provider,
      api,
      endpoint,
      region,
      model,
      fastModel,
      prices: prices && { main: prices.main, ...(prices.fast && { fast: prices.fast }) },
      ...Object.fromEntries(secretMembers.map((member) => [member, connection[member]])),
    } as Connection,
    { api: 'Responses' },
  );
}

/** Returns the secrets of the connection. */
export const secretsOf = (connection: Connection): SecretReference[] =>
  secretMembers.flatMap((member) => {
    const name = connection[member]?.secret;
    return name === undefined ? [] : [{ name, pointer: pointerOf(member) }];
  });

/** Returns true when the change would send stored secrets to another place. */
const isElsewhere = (before: Connection, after: Connection): boolean =>
  !isSamePlace(openPartOf(openInput(before)), openPartOf(openInput(after)));

/** Returns secrets whose values a change of the connection requires: all for another place, otherwise new ones. */
export function neededSecretsOf(before: Connection | undefined, after: Connection): SecretReference[] {
  if (before === undefined || isElsewhere(before, after)) return secretsOf(after);
  const storedPointers = new Set(secretsOf(before).map(({ pointer }) => pointer));
  return secretsOf(after).filter(({ pointer }) => !storedPointers.has(pointer));
}

/** Replaces the names of secrets. */
export function withSecretNames(
  connection: Connection,
  nameAt: (pointer: string) => string | undefined,
): Connection {
  const renamed = secretMembers.flatMap((member) => {
    const name = connection[member]?.secret;
    return name === undefined ? [] : [[member, { secret: nameAt(pointerOf(member)) ?? name }]];
  });
  return { ...connection, ...Object.fromEntries(renamed) };
}

/** Converts the stored connection to the format of a file. */
export function connectionOf(shown: contract.LlmConnection): Connection {
  const { provider, api, endpoint, region, model, fastModel, prices } = shown;
  const has: Readonly<Record<SecretMember, boolean>> = {
    apiKey: shown.hasApiKey,
    awsAccessKeyId: shown.hasAwsAccessKeyId,
    awsSecretAccessKey: shown.hasAwsSecretAccessKey,
    awsSessionToken: shown.hasAwsSessionToken,
  };
  const secretRefs = secretMembers
    .filter((member) => has[member])
    .map((member) => [member, { secret: secretNameOf('llm', secretNames[member]) }]);
  return {
    provider,
    api,
    endpoint,
    region,
    model,
    fastModel,
    ...(prices && { prices }),
    ...Object.fromEntries(secretRefs),
  } as Connection;
}

/**
 * Returns the connection with the values of its secrets. Secrets that were not sent retain their stored value.
 *
 * @throws Refusal `secret-missing` for a secret of `needed` without a value.
 */
export const connectionInput = (
  connection: Connection,
  needed: readonly SecretReference[],
  secret: (name: string) => string | undefined,
): LlmConnectionInput => {
  const neededPointers = new Set(needed.map(({ pointer }) => pointer));
  const values = secretMembers.map((member): [string, string | null | undefined] => {
    const name = connection[member]?.secret;
    if (name === undefined) return [member, null];
    const value = secret(name);
    if (value === undefined && neededPointers.has(pointerOf(member)))
      throw secretMissing(name, pointerOf(member));
    return [member, value];
  });
  return {
    ...openInput(connection),
    ...Object.fromEntries(values.filter(([, value]) => value !== undefined)),
  };
};
