import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { closest, distance } from 'fastest-levenshtein';
import type { Setting } from './setting.ts';
import { type Config, type SettingKey, settings } from './settings/index.ts';

/** Configuration sources. Earlier sources take precedence. */
export type ConfigSources = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Path of the configuration file. Default: `SVC_CONFIG`, else `svc.config.json` in the current folder if it
   * exists.
   */
  readonly file?: string;
  /** Values from code, by key. */
  readonly values?: { readonly [K in SettingKey]?: unknown };
};

export type LoadedConfig = {
  readonly config: Config;
  /** Source of each configured key. */
  readonly origins: ReadonlyMap<SettingKey, string>;
};

type Found = { raw: unknown; origin: string };

const keysByLowerCase = new Map(
  (Object.keys(settings) as SettingKey[]).map((key) => [key.toLowerCase(), key]),
);
const listEntry = /^(.*):(\d{1,4})$/;

/**
 * Reads all settings. Sources in descending precedence: values from code, environment variables
 * (`Svc__ApiKeys__MaxLifetimeDays`, `…_FILE` for a file that contains a secret), the configuration file.
 *
 * @throws Error that names each key that is unknown or has an invalid value, one per line.
 */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const { faults, ...loaded } = inspectConfig(sources);
  if (faults.length > 0) throw new Error(faults.map(({ text }) => text).join('\n'));
  return loaded;
}

/** A setting that is unknown or has an invalid value. */
type SettingFault = { readonly key: string; readonly text: string };

/**
 * Reads all settings as `loadConfig` does, but returns faults. A setting with an invalid value gets its default.
 *
 * @throws Error when the configuration file or a file with a secret cannot be read.
 */
export function inspectConfig(
  sources: ConfigSources,
): LoadedConfig & { readonly faults: readonly SettingFault[] } {
  const entriesByKey = new Map<SettingKey, Found>();
  const faults: SettingFault[] = [];
  collect(entriesByKey, faults, fileEntries(sources), 'the configuration file');
  collect(entriesByKey, faults, environmentEntries(sources.env ?? {}), 'the environment');
  collect(entriesByKey, faults, Object.entries(sources.values ?? {}), 'the host');
  const config: Record<string, unknown> = {};
  const origins = new Map<SettingKey, string>();
  for (const key of keysByLowerCase.values()) {
    const entry = entriesByKey.get(key);
    config[key] = entry === undefined ? settings[key].default : parseEntry(key, settings[key], entry, faults);
    if (entry !== undefined) origins.set(key, entry.origin);
  }
  return { config: config as Config, origins, faults };
}

function parseEntry(key: SettingKey, setting: Setting, entry: Found, faults: SettingFault[]): unknown {
  try {
    return setting.parse(entry.raw);
  } catch (error) {
    const text = `The setting ${key} (from ${entry.origin}) must be ${(error as Error).message}.`;
    faults.push({ key, text });
    return setting.default;
  }
}

function collect(
  entriesByKey: Map<SettingKey, Found>,
  faults: SettingFault[],
  entries: Iterable<readonly [string, unknown]>,
  origin: string,
): void {
  const lists = new Map<SettingKey, Map<number, unknown>>();
  for (const [written, raw] of entries) {
    if (raw === undefined) continue;
    const key = keysByLowerCase.get(written.toLowerCase());
    if (key !== undefined) {
      entriesByKey.set(key, { raw, origin });
      continue;
    }
    const [, listKey, index] = listEntry.exec(written) ?? [];
    const settingKey = listKey === undefined ? undefined : keysByLowerCase.get(listKey.toLowerCase());
    if (settingKey === undefined || settings[settingKey].kind !== 'list') {
      const text = `Unknown setting ${written} (from ${origin}).${suggestion(written)} See docs/settings.md for the list.`;
      faults.push({ key: written, text });
      continue;
    }
    const entriesOfKey = lists.get(settingKey) ?? new Map<number, unknown>();
    entriesOfKey.set(Number(index), raw);
    lists.set(settingKey, entriesOfKey);
  }
  for (const [key, entriesOfKey] of lists) {
    const ordered = [...entriesOfKey].sort(([a], [b]) => a - b).map(([, value]) => value);
    entriesByKey.set(key, { raw: ordered, origin });
  }
}

/** Maximum share of differing characters at which a key counts as misspelt. */
const misspeltShareMax = 0.25;

/** Suggests the setting that an unknown key probably means. */
function suggestion(written: string): string {
  const lowerCased = written.toLowerCase();
  const nearest = closest(lowerCased, [...keysByLowerCase.keys()]);
  const key = keysByLowerCase.get(nearest);
  return key !== undefined && distance(lowerCased, nearest) <= lowerCased.length * misspeltShareMax
    ? ` Did you mean ${key}?`
    : '';
}

function* environmentEntries(env: Readonly<Record<string, string | undefined>>): Iterable<[string, unknown]> {
  // `PORT` comes first, so that the service's own key overrides it.
  if (env['PORT'] !== undefined) yield ['Svc:Host:Port', env['PORT']];
  for (const [name, value] of Object.entries(env)) {
    if (!/^svc__/i.test(name) || value === undefined) continue;
    const key = name.replaceAll('__', ':');
    if (keysByLowerCase.has(key.toLowerCase()) || !/_FILE$/i.test(key)) yield [key, value];
    else yield [key.slice(0, -'_FILE'.length), readSecretFile(name, value)];
  }
}

function readSecretFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const remedy =
      code === 'EACCES' ? ` Let the user that the service runs as (uid ${process.getuid?.()}) read it.` : '';
    throw new Error(`The file that ${name} names cannot be read: ${message}.${remedy}`);
  }
}

function* fileEntries(sources: ConfigSources): Iterable<[string, unknown]> {
  const named = sources.file ?? sources.env?.['SVC_CONFIG'];
  const file = named ?? path.resolve('svc.config.json');
  if (!existsSync(file)) {
    if (named !== undefined) throw new Error(`The configuration file ${named} does not exist.`);
    return;
  }
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`The configuration file ${file} is not valid JSON: ${(error as Error).message}.`);
  }
  yield* flatten(content, '');
}

/** Flattens the file: `{ "Svc": { "Host": { "Port": 1 } } }` and `{ "Svc:Host:Port": 1 }` are equivalent. */
function* flatten(value: unknown, prefix: string): Iterable<[string, unknown]> {
  const settingKey = keysByLowerCase.get(prefix.toLowerCase());
  const isBranch =
    typeof value === 'object' && value !== null && !Array.isArray(value) && settingKey === undefined;
  if (!isBranch) {
    yield [prefix, value];
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (name !== '$schema') yield* flatten(member, prefix === '' ? name : `${prefix}:${name}`);
  }
}
