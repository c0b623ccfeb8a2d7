import type { LoadedConfig } from './load.ts';
import { type SettingKey, settings } from './settings/index.ts';

/** A setting as it may be shown to anybody who runs the service. */
export type ShownSetting = {
  readonly key: SettingKey;
  /** `***` for a secret that is set; null for what is not set and has no default. */
  readonly value: unknown;
  /** Which source it came from; null for a default. */
  readonly origin: string | null;
};

/** Members of maps and lists that hold a secret by their name. */
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

/** True where the whole value is a secret. */
export const isSecretSetting = (key: SettingKey): boolean =>
  settings[key].kind === 'secret' || secretLists.has(key);

/** Every setting with its value and where that came from, without a secret; in the order of the settings table. */
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
