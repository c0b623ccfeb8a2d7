import { ConnectorError } from '../error.ts';
import type { TimeForm } from './types.ts';

/** Facts about the server and the user's settings. Each session queries them before any statement. */
export type Profile = TimeForm & {
  readonly version: string;
  /** Settings to send with each statement: the supported ones that the user may change. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** The user's own settings are already read-only. */
  readonly isReadOnly: boolean;
};

const oldest = { major: 22, minor: 8 };

/** Settings of each statement. A time limit is added, for a statement whose connection is lost. */
const wantedSettings = {
  cancel_http_readonly_queries_on_client_close: '1',
  http_write_exception_in_output_format: '0',
  enable_http_compression: '1',
  send_progress_in_http_headers: '0',
  // Exact numbers, times in UTC, and valid JSON in nested values.
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: '0',
  output_format_json_quote_64bit_floats: '0',
  output_format_json_quote_decimals: '0',
  output_format_json_quote_denormals: '1',
  output_format_json_escape_forward_slashes: '0',
  output_format_json_named_tuples_as_objects: '1',
  output_format_json_validate_utf8: '1',
  output_format_decimal_trailing_zeros: '1',
  // A limit of the server fails the statement instead of cutting the result silently.
  result_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  extremes: '0',
} as const;

const readOnly = 'readonly';
const isoSetting = 'date_time_output_format';
export const timeSetting = 'max_execution_time';

/** Works with every version of the server, and for users who may not change settings. */
export const profileStatement = `select *, version() as server_version, timezone() as server_zone from system.settings
where name in (${[readOnly, timeSetting, ...Object.keys(wantedSettings)].map((name) => `'${name}'`).join(', ')})`;

type SettingRow = {
  readonly name?: unknown;
  readonly value?: unknown;
  /** 1: the user may not change the setting. */
  readonly readonly?: unknown;
  readonly server_version?: unknown;
  readonly server_zone?: unknown;
};

/** Parses `JSONEachRow`; undefined for an invalid text. */
function readRows(text: string): SettingRow[] | undefined {
  try {
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const row: unknown = JSON.parse(line);
        if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new TypeError('No row.');
        return row;
      });
  } catch {
    return undefined;
  }
}

/** `26.7.2.1`, optionally followed by the name of the distributor. */
const versionForm = /^\d{1,9}\.\d{1,9}(?:\.[\w+-]{1,40}){0,5}$/;

/** Ignores values that are not text: the server never sends them. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const changeable: readonly unknown[] = [undefined, null, 0, '0', false];

/**
 * Reads the answer; undefined for an answer that no ClickHouse server sends. With `readonly = 1` a user may send no
 * setting, not even with its current value. With `readonly = 2` a user may send every setting except `readonly`.
 *
 * @throws ConnectorError for a server that is too old.
 */
export function readProfile(text: string, timeoutMs: number): Profile | undefined {
  const rows = readRows(text);
  const [first] = rows ?? [];
  const version = textOf(first?.server_version);
  if (!rows || version === undefined || !versionForm.test(version)) return undefined;
  assertNewEnough(version);
  const values = new Map(rows.map((row) => [textOf(row.name), textOf(row.value)]));
  const mode = values.get(readOnly);
  if (mode === undefined) return undefined;
  const mayChange = new Set(
    rows.filter((row) => changeable.includes(row.readonly)).map((row) => textOf(row.name)),
  );
  const entries = Object.entries({
    ...wantedSettings,
    [timeSetting]: timeLimit(values.get(timeSetting), timeoutMs),
  });
  const settings = entries.filter(([name, value]) => mayChange.has(name) && values.get(name) !== value);
  const sent: [string, string][] =
    mode === '0' ? [...settings, [readOnly, '1']] : mode === '1' ? [] : settings;
  return {
    version,
    settings: sent,
    isReadOnly: mode !== '0',
    isIso: values.get(isoSetting) === 'iso' || sent.some(([name]) => name === isoSetting),
    serverZone: textOf(first?.server_zone) ?? '',
  };
}

/**
 * Returns the limit in seconds: slightly longer than our own, so that ours is reported first, and never longer than
 * the server's.
 */
function timeLimit(limitOfServer: string | undefined, timeoutMs: number): string {
  const ours = Math.ceil(timeoutMs / 1_000) + 1;
  const theirs = Number(limitOfServer ?? 0);
  return String(theirs > 0 ? Math.min(theirs, ours) : ours);
}

function assertNewEnough(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return;
  throw new ConnectorError(
    'connection-failed',
    `The server is ClickHouse ${version.slice(0, 40)}, which is too old: version ${oldest.major}.${oldest.minor} or a newer one is needed.`,
  );
}
