import {
  type AdminSettingName,
  type AdminSettings,
  type AdminSettingsInput,
  adminSettingNames,
} from '@svc/contract';
import { isAdmin } from '../../platform/access/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database, Queryable, Tx } from '../../platform/db/index.ts';
import { badRequest, forbidden, settingLocked } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { definitions, lockedSettings } from './definitions.ts';
import type { LlmLimitsSettings } from './llm-limits.ts';
import type { LlmSettings } from './llm-settings.ts';
import { presentSettings } from './present.ts';
import { listHistory, lockSettings, readValue, readValues, writeValue } from './store.ts';

export type AdminSettingsDeps = {
  readonly database: Database;
  readonly config: Config;
  readonly audit: Audit;
  readonly llmSettings: Pick<LlmSettings, 'shown' | 'change' | 'checkAddress' | 'currentIn'>;
  readonly llmLimits: Pick<LlmLimitsSettings, 'shown' | 'change'>;
};

export type AdminSettingsService = ReturnType<typeof createAdminSettings>;

const historyMax = 200;

/** Settings that change at run time: what is set here beats the configuration, unless that locks it. */
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

  /** The value to store for a member of the input; null goes back to the configuration. */
  const parse = (name: AdminSettingName, given: string | null): string | null => {
    if (given === null) return null;
    const parsed = definitions[name].parse(given.trim());
    if ('value' in parsed) return parsed.value;
    throw badRequest('invalid-setting', parsed.refusal, [{ path: `/${name}`, message: parsed.refusal }]);
  };

  const change = async (
    tx: Tx,
    by: CallerActor,
    name: AdminSettingName,
    oldValue: string | null,
    newValue: string | null,
  ): Promise<void> => {
    if (locked.has(name))
      throw settingLocked(
        name,
        `The configuration locks ${name}. Change it there, or take it out of Svc:AdminSettings:Locked.`,
      );
    if (definitions[name].needs === 'Admin' && !isAdmin(by.caller))
      throw forbidden('admin-required', `Changing ${name} needs the Admin role.`);
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

  return {
    get: (): Promise<AdminSettings> => show(database),

    /** Changes what is given and differs; all or nothing. */
    update: async (by: CallerActor, input: AdminSettingsInput): Promise<AdminSettings> => {
      const wanted = adminSettingNames.flatMap((name) => {
        const given = input[name];
        return given === undefined ? [] : [{ name, value: parse(name, given) }];
      });
      const { llmConnection, llmLimits } = input;
      if (llmConnection) await llmSettings.checkAddress(llmConnection);
      return database.transaction(async (tx) => {
        await lockSettings(tx);
        const stored = await readValues(tx);
        for (const { name, value } of wanted) {
          const before = stored.get(definitions[name].key) ?? null;
          if (value !== before) await change(tx, by, name, before, value);
        }
        if (llmConnection !== undefined)
          await llmSettings.change(tx, by, llmConnection, llmLimits !== undefined);
        if (llmLimits !== undefined)
          await deps.llmLimits.change(tx, by, llmLimits, await llmSettings.currentIn(tx));
        return show(tx);
      });
    },

    /** What holds at this moment, in every process; undefined when nothing is set anywhere. */
    valueOf: async (name: AdminSettingName): Promise<string | undefined> => {
      const configured = configuredOf(name) ?? undefined;
      return locked.has(name)
        ? configured
        : ((await readValue(database, definitions[name].key)) ?? configured);
    },
  };
}
