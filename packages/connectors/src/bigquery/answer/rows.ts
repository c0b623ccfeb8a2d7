import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../../error.ts';
import { assertFewValues } from '../../http/json/bounded-json.ts';
import { property } from '../../http/json/json-property.ts';
import type { ExecuteOptions } from '../../port.ts';
import { type Cell, decimalCell, floatCell, integerCell } from '../../values.ts';
import { unreadableAnswer } from '../errors.ts';
import type { BigQueryField } from './schema.ts';

type Limits = Pick<ExecuteOptions, 'maxCellBytes' | 'decimalsAsText'>;

/**
 * Reads a row from the JSON of an answer with instants as whole microseconds (`useInt64Timestamp`). Throws
 * `ConnectorError`s.
 */
export function readRow(
  text: string,
  fields: readonly BigQueryField[],
  { maxCellBytes, decimalsAsText = false }: Limits,
): Cell[] {
  return readValues(parseRow(text), fields).map((value, at) => {
    const field = fields[at];
    if (!field) throw unreadableAnswer();
    const cell = cellOf(value, field, decimalsAsText);
    if (typeof cell === 'string' && Buffer.byteLength(cell) > maxCellBytes)
      throw new ConnectorError(
        'value-too-large',
        `A value of the result has more than ${plural(maxCellBytes, 'byte')}.`,
      );
    return cell;
  });
}

function parseRow(text: string): unknown {
  assertFewValues(text, 'A row');
  try {
    return JSON.parse(text);
  } catch {
    throw unreadableAnswer();
  }
}

/** Reads the values of a row or a STRUCT: `{"f": [{"v": …}, …]}`. */
function readValues(row: unknown, fields: readonly BigQueryField[]): unknown[] {
  const values = property(row, 'f');
  if (!Array.isArray(values) || values.length !== fields.length) throw unreadableAnswer();
  return values.map(heldValue);
}

/** Reads `v` of `{"v": …}`. */
function heldValue(holder: unknown): unknown {
  const value = property(holder, 'v');
  if (value === undefined) throw unreadableAnswer();
  return value;
}

function cellOf(value: unknown, field: BigQueryField, decimalsAsText: boolean): Cell {
  if (value === null) return null;
  if (field.isRepeated || field.type === 'STRUCT') return jsonOf(value, field);
  const text = textOf(value, field.type);
  switch (field.type) {
    case 'INT64':
      return integerCell(text);
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return decimalsAsText ? text : decimalCell(text);
    case 'FLOAT64':
      return floatCell(text);
    case 'BOOL':
      return text === 'true';
    default:
      return text;
  }
}

/** Writes a nested value as JSON. It joins texts, so that numbers retain all digits and fields their order. */
function jsonOf(value: unknown, field: BigQueryField): string {
  if (value === null) return 'null';
  if (field.isRepeated) {
    if (!Array.isArray(value)) throw unreadableAnswer();
    return `[${value.map((item: unknown) => jsonOf(heldValue(item), { ...field, isRepeated: false })).join(',')}]`;
  }
  if (field.type === 'STRUCT') {
    const members = readValues(value, field.fields).map((member, at) => {
      const of = field.fields[at];
      if (!of) throw unreadableAnswer();
      return `${JSON.stringify(of.name)}:${jsonOf(member, of)}`;
    });
    return `{${members.join(',')}}`;
  }
  const text = textOf(value, field.type);
  return bareTypes.has(field.type) && !denormals.has(text) ? text : JSON.stringify(text);
}

/** Types whose text is valid JSON without quotes. */
const bareTypes = new Set(['INT64', 'NUMERIC', 'BIGNUMERIC', 'FLOAT64', 'BOOL', 'JSON']);
const denormals = new Set(['NaN', 'Infinity', '-Infinity']);

const forms = new Map([
  ['INT64', /^-?(0|[1-9]\d{0,18})$/],
  ['NUMERIC', /^-?(0|[1-9]\d*)(\.\d+)?$/],
  ['BIGNUMERIC', /^-?(0|[1-9]\d*)(\.\d+)?$/],
  ['FLOAT64', /^(NaN|-?Infinity|-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?)$/],
  ['BOOL', /^(true|false)$/],
  ['DATE', /^\d{4}-\d\d-\d\d$/],
  ['TIME', /^\d\d:\d\d:\d\d(\.\d{1,6})?$/],
  ['DATETIME', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?$/],
  ['TIMESTAMP', /^-?\d{1,18}$/],
  ['BYTES', /^[A-Za-z\d+/]*={0,2}$/],
]);

/** Returns the text of a value that is not nested. The text must have the form of its type. */
function textOf(value: unknown, type: string): string {
  if (typeof value !== 'string' || forms.get(type)?.test(value) === false) throw unreadableAnswer();
  switch (type) {
    case 'BYTES':
      if (value.length % 4 !== 0) throw unreadableAnswer();
      return Buffer.from(value, 'base64').toString('hex');
    case 'TIMESTAMP':
      return instantOf(BigInt(value));
    case 'JSON':
      return checkedJson(value);
    default:
      return value;
  }
}

function checkedJson(text: string): string {
  assertFewValues(text, 'A value');
  try {
    JSON.parse(text);
    return text;
  } catch {
    throw unreadableAnswer();
  }
}

const microsecondsASecond = 1_000_000n;
const secondsOfYear1 = -62_135_596_800n;
const secondsOfYear10000 = 253_402_300_800n;

/** Converts microseconds since 1970 to ISO 8601 in UTC, for the years 1 to 9999. */
function instantOf(microseconds: bigint): string {
  const fraction = ((microseconds % microsecondsASecond) + microsecondsASecond) % microsecondsASecond;
  const seconds = (microseconds - fraction) / microsecondsASecond;
  if (seconds < secondsOfYear1 || seconds >= secondsOfYear10000) throw unreadableAnswer();
  const clock = new Date(Number(seconds) * 1_000).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
  return fraction === 0n ? `${clock}Z` : `${clock}.${String(fraction).padStart(6, '0')}Z`;
}
