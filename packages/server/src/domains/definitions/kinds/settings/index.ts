import * as contract from '@svc/contract';
import { adminSettingNames } from '@svc/contract';
import { type Static, Type } from 'typebox';
import type { AdminSettingsService, RunTimeSettings } from '../../../admin-settings/index.ts';
import type { CallerActor } from '../../../audit/index.ts';
import { shortened } from '../canonical.ts';
import {
  type Change,
  defineKind,
  type Input,
  type LiveRecord,
  type SecretReference,
  type Target,
} from '../kind.ts';
import { assertSetsSomething } from '../mcp-settings.ts';
import { fileSchema } from '../shapes.ts';
import {
  Connection,
  canonicalConnection,
  connectionInput,
  connectionOf,
  neededSecretsOf,
  secretsOf,
  withSecretNames,
} from './connection.ts';

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

/** Removes defaults and orders the members. */
const canonical = (
  settings: AdminSettingsService,
  { baseUrl, defaultTimeZone, llmConnection, llmLimits }: SettingsDefinition,
): SettingsDefinition =>
  shortened<SettingsDefinition>(
    {
      baseUrl: baseUrl === undefined ? undefined : settings.parse('baseUrl', baseUrl),
      defaultTimeZone:
        defaultTimeZone === undefined ? undefined : settings.parse('defaultTimeZone', defaultTimeZone),
      llmConnection: llmConnection && canonicalConnection(llmConnection),
      llmLimits: llmLimits && settings.wholeLimits(llmLimits),
    } as SettingsDefinition,
    {},
  );

const settingNames = [...adminSettingNames, 'llmConnection', 'llmLimits'] as const;

/** Returns the names of the settings that differ. */
const changedNames = ({ before, after, members }: Change<SettingsDefinition>) =>
  settingNames.filter((name) =>
    before === null || after === null
      ? (before ?? after)?.[name] !== undefined
      : members.some((pointer) => pointer === `/${name}` || pointer.startsWith(`/${name}/`)),
  );

const secrets = ({ llmConnection }: SettingsDefinition): SecretReference[] =>
  llmConnection ? secretsOf(llmConnection) : [];

const neededSecrets = ({ before, after }: Change<SettingsDefinition>): SecretReference[] =>
  after?.llmConnection ? neededSecretsOf(before?.llmConnection, after.llmConnection) : [];

const fileOf = (
  settings: AdminSettingsService,
  { baseUrl, defaultTimeZone, llmConnection, llmLimits }: RunTimeSettings,
) =>
  canonical(settings, {
    ...(baseUrl !== null && { baseUrl }),
    ...(defaultTimeZone !== null && { defaultTimeZone }),
    ...(llmConnection && { llmConnection: connectionOf(llmConnection) }),
    ...(llmLimits && { llmLimits }),
  } as SettingsDefinition);

/** Reads the settings with a stored value as one record; an empty list if no setting has one. */
const list = async (settings: AdminSettingsService): Promise<LiveRecord<SettingsDefinition>[]> => {
  const stored = await settings.setAtRunTime();
  const definition = fileOf(settings, stored);
  return Object.keys(definition).length === 0
    ? []
    : [{ id: 1, projectId: null, version: stored.version, definition }];
};

const inputOf = (input: Input<SettingsDefinition>): contract.AdminSettingsInput => {
  const { definition, before, members, secret } = input;
  const { llmConnection } = definition;
  const settingValue = (name: (typeof settingNames)[number]) =>
    name === 'llmConnection' && llmConnection
      ? connectionInput(llmConnection, neededSecretsOf(before?.llmConnection, llmConnection), secret)
      : (definition[name] ?? null);
  return Object.fromEntries(
    changedNames({ before, after: definition, members }).map((name) => [name, settingValue(name)]),
  );
};

const removeAll = async (
  settings: AdminSettingsService,
  by: CallerActor,
  { version: expectedVersion }: Target,
): Promise<void> => {
  const stored = await settings.setAtRunTime();
  const names = settingNames.filter((name) => stored[name] !== null);
  await settings.update(by, Object.fromEntries(names.map((name) => [name, null])), { expectedVersion });
};

/**
 * Creates the kind of service settings that administrators change at run time. Omitted members have the configured
 * value.
 */
export function settingsKind({ adminSettings }: { readonly adminSettings: AdminSettingsService }) {
  return defineKind<SettingsDefinition>({
    name: 'Settings',
    schema: fileSchema('Settings', properties),
    readBy: contract.getAdminSettings,
    isForKeys: false,
    canonical: (definition) => assertSetsSomething(canonical(adminSettings, definition)),
    references: () => [],
    secrets,
    withSecretNames: (definition, nameAt) => {
      const { llmConnection } = definition;
      return llmConnection
        ? { ...definition, llmConnection: withSecretNames(llmConnection, nameAt) }
        : definition;
    },
    list: () => list(adminSettings),
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
    remove: (by, target) => removeAll(adminSettings, by, target),
  });
}
