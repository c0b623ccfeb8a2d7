import type { LoadedConfig } from './load.ts';
import { type SettingKey, settings } from './settings/index.ts';

/** A setting as shown to operators. */
export type ShownSetting = {
  readonly key: SettingKey;
  /** `***` for a configured secret; null for a setting without a value and a default. */
  readonly value: unknown;
  /** Source of the value; null for a default. */
  readonly origin: string | null;
};

/** Names of map and list members that contain a secret. */
const secretName = /secret|password|token|key$/i;
const hidden = '***';
const secretLists: ReadonlySet<string> = new Set(['Svc:PreviousEncryptionKeys']);

function shown(value: unknown, name = ''): unknown {
  if (value === undefined || value === null) return null;
  if (secretName.test(name) && typeof value === 'string') return hidden;
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, entry]) => [key, shown(entry, key)]));
  if (Array.isArray(value)) return value.map((entry) => shown(entry));
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shown(entry, key)]));
  return value;
}

/** Returns true if the full value is a secret. */
export const isSecretSetting = (key: SettingKey): boolean =>
  settings[key].kind === 'secret' || secretLists.has(key);

/** Returns every setting with its value and source, without secrets, in the order of the settings table. */
export function describeSettings({ config, origins }: LoadedConfig): readonly ShownSetting[] {
  return (Object.keys(settings) as SettingKey[]).map((key) => {
    const value = config[key];
    const isSet = value !== undefined && !(Array.isArray(value) && value.length === 0);
    return {
      key,
      value: isSecretSetting(key) ? (isSet ? hidden : null) : shown(value),
      origin: origins.get(key) ?? null,
    };
  });
}
