import {
  type AdminSettingName,
  type AdminSettings,
  type AdminSettingsInput,
  adminSettingNames,
  type LlmConnection,
  type LlmLimits,
  type LlmLimitsInput,
} from '@svc/contract';
import { type Caller, isAdmin } from '../../platform/access/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database, Queryable, Tx } from '../../platform/db/index.ts';
import { badRequest, changedMeanwhile, forbidden, settingLocked } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import { definitions, type LockableName, lockedSettings } from './definitions.ts';
import { llmConnectionKey, llmConnectionName } from './llm-connection.ts';
import { type LlmLimitsSettings, llmLimitsKey } from './llm-limits.ts';
import type { LlmSettings } from './llm-settings.ts';
import { presentSettings } from './present.ts';
import { listHistory, lockSettings, readValue, readValues, readVersion, writeValue } from './store.ts';

export type AdminSettingsDeps = {
  readonly database: Database;
  readonly config: Config;
  readonly audit: Audit;
  readonly llmSettings: Pick<LlmSettings, 'shown' | 'change' | 'checkAddress' | 'currentIn' | 'setAtRunTime'>;
  readonly llmLimits: Pick<LlmLimitsSettings, 'shown' | 'change' | 'setAtRunTime' | 'whole'>;
};

/** Settings that are set at run time, even if the configuration locks them now. Null if not set. */
export type RunTimeSettings = {
  /** Increases with each change of any of these settings. */
  readonly version: number;
  readonly baseUrl: string | null;
  readonly defaultTimeZone: string | null;
  readonly llmConnection: LlmConnection | null;
  readonly llmLimits: LlmLimits | null;
};

/** Options of an update. */
export type UpdateOptions = {
  /** Refuses with 412 if a setting has changed since this version. */
  readonly expectedVersion?: number | undefined;
  /** Further work in the same transaction. */
  readonly within?: (tx: Tx) => Promise<void>;
};

const keys = [...adminSettingNames.map((name) => definitions[name].key), llmConnectionKey, llmLimitsKey];

export type AdminSettingsService = ReturnType<typeof createAdminSettings>;

const historyMax = 200;

/** Returns the value to store for a member of the input. Null restores the configuration. */
const parse = (name: AdminSettingName, text: string | null): string | null => {
  if (text === null) return null;
  const parsed = definitions[name].parse(text.trim());
  if ('value' in parsed) return parsed.value;
  throw badRequest('invalid-setting', parsed.refusal, [{ path: `/${name}`, message: parsed.refusal }]);
};

/** @throws Refusal 409 `setting-locked`, or 403 if only an Admin may change the setting. */
const assertChangeable = (locked: ReadonlySet<LockableName>, caller: Caller, name: LockableName): void => {
  if (locked.has(name))
    throw settingLocked(
      name,
      `The configuration locks ${name}. Change it there, or take it out of Svc:AdminSettings:Locked.`,
    );
  const isOfAdmins =
    name === llmConnectionName || (name !== 'llmLimits' && definitions[name].needs === 'Admin');
  if (isOfAdmins && !isAdmin(caller))
    throw forbidden('admin-required', `Changing ${name} needs the Admin role.`);
};

const storeValue = async (
  audit: Audit,
  tx: Tx,
  by: CallerActor,
  name: AdminSettingName,
  oldValue: string | null,
  newValue: string | null,
): Promise<void> => {
  await writeValue(tx, {
    key: definitions[name].key,
    oldValue,
    newValue,
    userId: by.caller.userId,
    hostUser: by.caller.hostUserId ?? null,
  });
  await audit.record(tx, {
    by,
    event: 'settings.setting_changed',
    detail: { setting: name, from: oldValue, to: newValue },
  });
};

/**
 * Creates the settings that change at run time. They take precedence over the configuration, unless the configuration
 * locks them.
 */
export function createAdminSettings(deps: AdminSettingsDeps) {
  const { database, config, audit, llmSettings } = deps;
  const locked = lockedSettings(config);

  const configuredOf = (name: AdminSettingName) => definitions[name].configured(config) ?? null;

  const show = async (executor: Queryable): Promise<AdminSettings> =>
    presentSettings({
      stored: await readValues(executor),
      history: await listHistory(executor, historyMax),
      configuredOf,
      locked,
      llmConnection: await llmSettings.shown(executor),
      llmLimits: await deps.llmLimits.shown(executor),
    });

  const assertMayChange = (caller: Caller, name: LockableName) => assertChangeable(locked, caller, name);

  return {
    get: (): Promise<AdminSettings> => show(database),

    /** Changes the given members that differ, all in one transaction. */
    update: async (
      by: CallerActor,
      input: AdminSettingsInput,
      { expectedVersion, within }: UpdateOptions = {},
    ): Promise<AdminSettings> => {
      const changes = adminSettingNames.flatMap((name) => {
        const text = input[name];
        return text === undefined ? [] : [{ name, value: parse(name, text) }];
      });
      const { llmConnection, llmLimits } = input;
      if (llmConnection) await llmSettings.checkAddress(llmConnection);
      return database.transaction(async (tx) => {
        await lockSettings(tx);
        await assertUnmanaged(tx, by, 'Settings', 1);
        if (expectedVersion !== undefined && expectedVersion !== (await readVersion(tx, keys)))
          throw changedMeanwhile();
        const stored = await readValues(tx);
        for (const { name, value } of changes) {
          const before = stored.get(definitions[name].key) ?? null;
          if (value === before) continue;
          assertMayChange(by.caller, name);
          await storeValue(audit, tx, by, name, before, value);
        }
        if (llmConnection !== undefined)
          await llmSettings.change(tx, by, llmConnection, llmLimits !== undefined);
        if (llmLimits !== undefined)
          await deps.llmLimits.change(tx, by, llmLimits, await llmSettings.currentIn(tx));
        await within?.(tx);
        return show(tx);
      });
    },

    setAtRunTime: async (): Promise<RunTimeSettings> => {
      const stored = await readValues(database);
      const textOf = (name: AdminSettingName) => stored.get(definitions[name].key) ?? null;
      return {
        version: await readVersion(database, keys),
        baseUrl: textOf('baseUrl'),
        defaultTimeZone: textOf('defaultTimeZone'),
        llmConnection: await llmSettings.setAtRunTime(database),
        llmLimits: await deps.llmLimits.setAtRunTime(database),
      };
    },

    /** Returns a text in its stored form. @throws Refusal 400 for an invalid text. */
    parse: (name: AdminSettingName, text: string): string => parse(name, text) ?? text,

    /** Completes partial limits with configured values. */
    wholeLimits: (input: LlmLimitsInput): LlmLimits => deps.llmLimits.whole(input),

    assertMayChange,

    /** Reads the current value from the database, so that all processes use the same. Undefined if it is set nowhere. */
    valueOf: async (name: AdminSettingName): Promise<string | undefined> => {
      const configured = configuredOf(name) ?? undefined;
      return locked.has(name)
        ? configured
        : ((await readValue(database, definitions[name].key)) ?? configured);
    },
  };
}
