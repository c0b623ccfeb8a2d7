import {
  type AdminSetting,
  type AdminSettingName,
  type AdminSettings,
  adminSettingNames,
  type LlmConnectionSetting,
  type LlmLimitsSetting,
} from '@svc/contract';
import { definitions } from './definitions.ts';
import { llmConnectionKey, llmConnectionName } from './llm-connection.ts';
import { llmLimitsKey, llmLimitsName } from './llm-limits.ts';
import type { HistoryRow } from './store.ts';

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const nameOf = (key: string): string =>
  adminSettingNames.find((name) => definitions[name].key === key) ??
  (key === llmConnectionKey ? llmConnectionName : key === llmLimitsKey ? llmLimitsName : key);

/** Returns all settings with their history for the API. */
export function presentSettings(shown: {
  readonly stored: ReadonlyMap<string, string>;
  readonly history: readonly HistoryRow[];
  readonly configuredOf: (name: AdminSettingName) => string | null;
  readonly locked: ReadonlySet<string>;
  readonly llmConnection: LlmConnectionSetting;
  readonly llmLimits: LlmLimitsSetting;
}): AdminSettings {
  const settingOf = (name: AdminSettingName): AdminSetting => {
    const isLocked = shown.locked.has(name);
    const set = isLocked ? undefined : shown.stored.get(definitions[name].key);
    const configuredValue = shown.configuredOf(name);
    return {
      value: set ?? configuredValue,
      configuredValue,
      isSetAtRunTime: set !== undefined,
      isLocked,
      needs: definitions[name].needs,
    };
  };
  return {
    settings: { baseUrl: settingOf('baseUrl'), defaultTimeZone: settingOf('defaultTimeZone') },
    llmConnection: shown.llmConnection,
    llmLimits: shown.llmLimits,
    history: shown.history.map((row) => ({
      id: row.id,
      setting: nameOf(row.key),
      oldValue: textOf(row.oldValue),
      newValue: textOf(row.newValue),
      changedAt: row.changedAt.toISOString(),
      changedByUserName: row.userName,
    })),
  };
}
