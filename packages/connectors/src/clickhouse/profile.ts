import { ConnectorError } from '../error.ts';
import type { TimeForm } from './types.ts';

/** What a server says of itself and of the user's settings before it is asked anything else. */
export type Profile = TimeForm & {
  readonly version: string;
  /** Settings to send with each statement: those that the server knows and lets the user change. */
  readonly settings: readonly (readonly [name: string, value: string])[];
  /** The user's own settings are read-only already. */
  readonly isReadOnly: boolean;
};

const oldest = { major: 22, minor: 8 };

/** What a statement is asked with. The time limit of the call stands beside it, for a server that we have lost. */
const wantedSettings = {
  cancel_http_readonly_queries_on_client_close: '1',
  http_write_exception_in_output_format: '0',
  enable_http_compression: '1',
  send_progress_in_http_headers: '0',
  // Exact numbers, times in UTC, valid JSON within.
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: '0',
  output_format_json_quote_64bit_floats: '0',
  output_format_json_quote_decimals: '0',
  output_format_json_quote_denormals: '1',
  output_format_json_escape_forward_slashes: '0',
  output_format_json_named_tuples_as_objects: '1',
  output_format_json_validate_utf8: '1',
  output_format_decimal_trailing_zeros: '1',
  // A limit of the server's fails the statement: nothing is cut silently.
  result_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  extremes: '0',
} as const;

const readOnly = 'readonly';
const isoSetting = 'date_time_output_format';
export const timeSetting = 'max_execution_time';

/** The server answers it whatever its version, and to users who may change no setting. */
export const profileStatement = `select *, version() as server_version, timezone() as server_zone from system.settings
where name in (${[readOnly, timeSetting, ...Object.keys(wantedSettings)].map((name) => `'${name}'`).join(', ')})`;

type SettingRow = {
  readonly name?: unknown;
  readonly value?: unknown;
  /** 1: the user may not change it. */
  readonly readonly?: unknown;
  readonly server_version?: unknown;
  readonly server_zone?: unknown;
};

/** Rows of `JSONEachRow`; undefined where they are none. */
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

/** `26.7.2.1`, with a word of who built it behind. */
const versionForm = /^\d{1,9}\.\d{1,9}(?:\.[\w+-]{1,40}){0,5}$/;

/** What is no text is none that the server would send. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const changeable: readonly unknown[] = [undefined, null, 0, '0', false];

/**
 * Reads the answer; undefined where no ClickHouse server would answer so. A user whose own settings are read-only
 * (`readonly = 1`) may send none, not even those that are set already; with 2 every one but `readonly` itself.
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
  const wanted = Object.entries({
    ...wantedSettings,
    [timeSetting]: timeLimit(values.get(timeSetting), timeoutMs),
  });
  const settings = wanted.filter(([name, value]) => mayChange.has(name) && values.get(name) !== value);
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

/** A little longer than ours, so that ours is what people are told; never longer than the server's own. */
function timeLimit(own: string | undefined, timeoutMs: number): string {
  const ours = Math.ceil(timeoutMs / 1_000) + 1;
  const theirs = Number(own ?? 0);
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
