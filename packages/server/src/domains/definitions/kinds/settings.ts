import * as contract from '@svc/contract';
import { adminSettingNames, type LlmConnectionInput } from '@svc/contract';
import { type Static, Type } from 'typebox';
import {
  type AdminSettingsService,
  isSamePlace,
  openPartOf,
  type RunTimeSettings,
} from '../../admin-settings/index.ts';
import { shortened } from './canonical.ts';
import { type Change, defineKind, type Input, type SecretReference } from './kind.ts';
import { assertSetsSomething } from './mcp-settings.ts';
import { secretMissing, secretNameOf } from './recipient.ts';
import { fileSchema, SecretRef } from './shapes.ts';

const { provider, api, endpoint, region, model, fastModel, prices } = contract.LlmConnectionInput.properties;
const Connection = Type.Object(
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
type Connection = Static<typeof Connection>;

const text = (lengthMax: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: lengthMax, description }));
const properties = {
  baseUrl: text(500, 'Start of links in messages, with the `/svc` segment. Needs an Admin.'),
  defaultTimeZone: text(100, 'Time zone of schedules that name none.'),
  llmConnection: Type.Optional(Connection),
  llmLimits: Type.Optional(contract.LlmLimitsInput),
};
const Shape = Type.Object(properties);
type SettingsDefinition = Static<typeof Shape>;

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

const secrets = ({ llmConnection }: SettingsDefinition): SecretReference[] =>
  secretMembers.flatMap((member) => {
    const name = llmConnection?.[member]?.secret;
    return name === undefined ? [] : [{ name, pointer: pointerOf(member) }];
  });

/** Converts the connection without its secrets to the format of the service. */
const openInput = (connection: Connection): LlmConnectionInput => {
  const { provider, api, endpoint, region, model, fastModel, prices } = connection;
  return shortened({ provider, api, endpoint, region, model, fastModel, prices } as LlmConnectionInput, {});
};

function canonicalConnection(connection: Connection): Connection {
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

/** Returns true when the change would send stored secrets to another place. */
const isElsewhere = (before: Connection | undefined, after: Connection): boolean =>
  before === undefined || !isSamePlace(openPartOf(openInput(before)), openPartOf(openInput(after)));

function neededSecrets({ before, after }: Change<SettingsDefinition>): SecretReference[] {
  const next = after?.llmConnection;
  if (!after || !next) return [];
  const present = before?.llmConnection;
  if (isElsewhere(present, next)) return secrets(after);
  return secretMembers.flatMap((member) => {
    const name = next[member]?.secret;
    return name === undefined || present?.[member] ? [] : [{ name, pointer: pointerOf(member) }];
  });
}

const settingNames = [...adminSettingNames, 'llmConnection', 'llmLimits'] as const;

/** Returns the names of the settings that differ. */
const changedNames = ({ before, after, members }: Change<SettingsDefinition>) =>
  settingNames.filter((name) =>
    before === null || after === null
      ? (before ?? after)?.[name] !== undefined
      : members.some((pointer) => pointer === `/${name}` || pointer.startsWith(`/${name}/`)),
  );

/**
 * Creates the kind of service settings that administrators change at run time. Omitted members have the configured
 * value.
 */
export function settingsKind({ adminSettings }: { readonly adminSettings: AdminSettingsService }) {
  const canonical = ({ baseUrl, defaultTimeZone, llmConnection, llmLimits }: SettingsDefinition) =>
    shortened<SettingsDefinition>(
      {
        baseUrl: baseUrl === undefined ? undefined : adminSettings.parse('baseUrl', baseUrl),
        defaultTimeZone:
          defaultTimeZone === undefined ? undefined : adminSettings.parse('defaultTimeZone', defaultTimeZone),
        llmConnection: llmConnection && canonicalConnection(llmConnection),
        llmLimits: llmLimits && adminSettings.wholeLimits(llmLimits),
      } as SettingsDefinition,
      {},
    );

  const fileOf = ({ baseUrl, defaultTimeZone, llmConnection, llmLimits }: RunTimeSettings) =>
    canonical({
      ...(baseUrl !== null && { baseUrl }),
      ...(defaultTimeZone !== null && { defaultTimeZone }),
      ...(llmConnection && { llmConnection: connectionOf(llmConnection) }),
      ...(llmLimits && { llmLimits }),
    } as SettingsDefinition);

  /** Returns the connection with the values of its secrets. Secrets that were not sent retain their stored value. */
  const connectionInput = (
    after: Connection,
    { before, secret }: Input<SettingsDefinition>,
  ): LlmConnectionInput => {
    const needed = new Set(
      neededSecrets({ before, after: { llmConnection: after }, members: [] }).map(({ pointer }) => pointer),
    );
    const values = secretMembers.map((member): [string, string | null | undefined] => {
      const name = after[member]?.secret;
      if (name === undefined) return [member, null];
      const value = secret(name);
      if (value === undefined && needed.has(pointerOf(member))) throw secretMissing(name, pointerOf(member));
      return [member, value];
    });
    return {
      ...openInput(after),
      ...Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    };
  };

  const inputOf = (input: Input<SettingsDefinition>): contract.AdminSettingsInput => {
    const { definition, before, members } = input;
    const { llmConnection } = definition;
    const settingValue = (name: (typeof settingNames)[number]) =>
      name === 'llmConnection' && llmConnection
        ? connectionInput(llmConnection, input)
        : (definition[name] ?? null);
    return Object.fromEntries(
      changedNames({ before, after: definition, members }).map((name) => [name, settingValue(name)]),
    );
  };

  return defineKind<SettingsDefinition>({
    name: 'Settings',
    schema: fileSchema('Settings', properties),
    readBy: contract.getAdminSettings,
    isForKeys: false,
    canonical: (definition) => assertSetsSomething(canonical(definition)),
    references: () => [],
    secrets,
    withSecretNames: (definition, nameAt) => {
      const { llmConnection } = definition;
      if (!llmConnection) return definition;
      const named = secretMembers.flatMap((member) => {
        const name = llmConnection[member]?.secret;
        return name === undefined ? [] : [[member, { secret: nameAt(pointerOf(member)) ?? name }]];
      });
      return { ...definition, llmConnection: { ...llmConnection, ...Object.fromEntries(named) } };
    },

    list: async () => {
      const set = await adminSettings.setAtRunTime();
      const definition = fileOf(set);
      return Object.keys(definition).length === 0
        ? []
        : [{ id: 1, projectId: null, version: set.version, definition }];
    },

    endpoints: () => [contract.updateAdminSettings],
    mayWrite: (caller, change) => {
      for (const name of changedNames(change)) adminSettings.assertMayChange(caller, name);
    },
    needsApproval: () => false,
    neededSecrets,

    create: async (by, input) => {
      await adminSettings.update(by, inputOf(input), { within: (tx) => input.within(tx, 1) });
      return { isWaiting: false };
    },
    update: async (by, { id, version }, input) => {
      await adminSettings.update(by, inputOf(input), {
        expectedVersion: version,
        within: (tx) => input.within(tx, id),
      });
      return { isWaiting: false };
    },
    remove: async (by, { version: expectedVersion }) => {
      const set = await adminSettings.setAtRunTime();
      const names = settingNames.filter((name) => set[name] !== null);
      await adminSettings.update(by, Object.fromEntries(names.map((name) => [name, null])), {
        expectedVersion,
      });
    },
  });
}

/** Converts the stored connection to the format of a file. */
function connectionOf(shown: contract.LlmConnection): Connection {
  const { provider, api, endpoint, region, model, fastModel, prices } = shown;
  const has: Readonly<Record<SecretMember, boolean>> = {
    apiKey: shown.hasApiKey,
    awsAccessKeyId: shown.hasAwsAccessKeyId,
    awsSecretAccessKey: shown.hasAwsSecretAccessKey,
    awsSessionToken: shown.hasAwsSessionToken,
  };
  const named = secretMembers
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
    ...Object.fromEntries(named),
  } as Connection;
}
