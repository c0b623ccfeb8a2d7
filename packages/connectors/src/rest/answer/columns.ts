import { ConnectorError } from '../../error.ts';
import { exponentMax, withoutExponent } from '../../http/decimal-text.ts';
import type { HiddenSecret } from '../../http/hidden-secret.ts';
import { plainText } from '../../http/plain-text.ts';
import type { ExecuteOptions } from '../../port.ts';
import { type Cell, type Column, type ColumnKind, decimalCell, integerCell } from '../../values.ts';
import type { DescribedColumn } from '../openapi.ts';
import type { ColumnType, NamedColumn } from '../statement.ts';
import { type ExactJson, isList, isObject, JsonNumber, valueAt, writeExact } from './exact-json.ts';
import { isDate, isZonedTime, zonedTime } from './times.ts';

/** Column of a result, with the path of its values in a row and their reader. */
export type RestColumn = {
  readonly column: Column;
  readonly parts: readonly string[];
  /** Converts a value; undefined for a value that is not of the column's type. */
  readonly read: (value: ExactJson) => Cell | undefined;
};

/** All columns of a result. */
export type RestColumns = {
  readonly list: readonly RestColumn[];
  /** Members that a row may have; `whole` if a row is one value. Undefined for columns that the statement names. */
  readonly members: ReadonlySet<string> | 'whole' | undefined;
  /** Formats a name of the API for display. */
  readonly tell: (name: string) => string;
};

const columnsMax = 1_000;
/** Longest name in a message, in characters. */
const nameLengthMax = 100;
/** Name of the only column, for rows that are not all objects. */
const valueName = 'value';

type Form = { readonly kind: ColumnKind; readonly databaseType: string };

/** The type names describe JSON values. No engine's type has one of these names. */
const forms: Readonly<Record<ColumnType, Form>> = {
  text: { kind: 'text', databaseType: 'json string' },
  integer: { kind: 'integer', databaseType: 'json integer' },
  number: { kind: 'decimal', databaseType: 'json number' },
  boolean: { kind: 'boolean', databaseType: 'json boolean' },
  date: { kind: 'date', databaseType: 'json date' },
  timestamp: { kind: 'timestamptz', databaseType: 'json date-time' },
  json: { kind: 'json', databaseType: 'json' },
};

type MakeOptions = Pick<ExecuteOptions, 'decimalsAsText' | 'wantOrigins'> & {
  /** Columns of the rows according to the API's document. */
  readonly described: readonly DescribedColumn[];
  readonly named: readonly NamedColumn[] | undefined;
  /** Path of the rows. It names values without a name of their own. */
  readonly rows: readonly string[];
  /** Secret that no message may repeat. */
  readonly secret: HiddenSecret;
};

/** Returns the columns of a result: the ones that the statement names, or the members of the first rows. */
export function makeColumns(first: readonly ExactJson[], options: MakeOptions): RestColumns {
  const { named, described, secret } = options;
  const tell = (name: string): string => plainText(secret.hide(name), nameLengthMax);
  const types = new Map(described.map(({ name, type }) => [name, type]));
  const present = ({ name, parts, type }: NamedColumn): RestColumn => {
    const describedType = parts.length === 1 ? types.get(parts[0] ?? '') : undefined;
    const values = first.map((row) => valueAt(row, parts)).filter((value) => value !== undefined);
    return restColumn({ name, parts, type: type ?? inferType(values, describedType) }, options);
  };
  if (named) return { list: named.map(present), members: undefined, tell };
  if (first.some((row) => row !== null && !isObject(row)) || (first.length > 0 && first.every(isNull)))
    return {
      list: [present({ name: valueName, parts: [], type: undefined })],
      members: 'whole',
      tell,
    };
  const names = membersOf(first) ?? described.map(({ name }) => name);
  if (names.length === 0) {
    throw new ConnectorError(
      'statement-failed',
      'The API gives no rows, and its columns are not known: name them in columns, such as {"columns": {"id": "/id"}}.',
      { origin: 'Service' },
    );
  }
  if (names.length > columnsMax)
    throw new ConnectorError(
      'statement-failed',
      `The rows have more than ${columnsMax} members: name those that are wanted in columns.`,
      { origin: 'Service' },
    );
  const list = names.map((name) => present({ name, parts: [name], type: undefined }));
  return { list, members: new Set(names), tell };
}

const isNull = (row: ExactJson): boolean => row === null;

/** Returns the member names of rows in the order of their appearance; undefined without rows. */
function membersOf(rows: readonly ExactJson[]): readonly string[] | undefined {
  if (rows.length === 0) return undefined;
  const names = new Set<string>();
  for (const row of rows) if (isObject(row)) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}

/** Infers the narrowest type that all values of the first rows have, and that later values probably have too. */
function inferType(values: readonly ExactJson[], described: string | undefined): ColumnType {
  const present = values.filter((value) => value !== null);
  if (present.length === 0) return typesOfDocument.get(described ?? '') ?? 'json';
  const all = (test: (value: ExactJson) => boolean): boolean => present.every(test);
  if (all((value) => typeof value === 'boolean')) return 'boolean';
  if (all((value) => value instanceof JsonNumber))
    return described === 'integer' && all(isWhole) ? 'integer' : 'number';
  if (!all((value) => typeof value === 'string')) return 'json';
  // A text may look like a time by accident. Only the document decides which texts are times.
  if (described === 'date' && all((value) => isDate(String(value)))) return 'date';
  if (described === 'date-time' && all((value) => isZonedTime(String(value)))) return 'timestamp';
  return 'text';
}

const typesOfDocument = new Map<string, ColumnType>([
  ['string', 'text'],
  ['uuid', 'text'],
  ['integer', 'integer'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['date-time', 'timestamp'],
]);

const isWhole = (value: ExactJson): boolean => value instanceof JsonNumber && /^-?\d+$/.test(value.text);

type Wanted = { readonly name: string; readonly parts: readonly string[]; readonly type: ColumnType };

function restColumn({ name, parts, type }: Wanted, options: MakeOptions): RestColumn {
  // The origin of an unnamed value is the name of its list.
  const origin = { column: (parts.length === 0 ? options.rows : parts).join('_') || name };
  return {
    column: { name, ...forms[type], ...(options.wantOrigins ? { origin } : {}) },
    parts,
    read: readers[type](options.decimalsAsText ?? false),
  };
}

type Reader = RestColumn['read'];

const readers: Readonly<Record<ColumnType, (decimalsAsText: boolean) => Reader>> = {
  boolean: () => (value) => (typeof value === 'boolean' ? value : undefined),
  integer: () => (value) => (isWhole(value) ? integerCell((value as JsonNumber).text) : undefined),
  number: (decimalsAsText) => (value) => {
    const text = value instanceof JsonNumber ? withoutExponent(value.text) : undefined;
    if (text === undefined || decimalsAsText) return text;
    const cell = decimalCell(text);
    // A number that would print with an exponent stays decimal text.
    return String(cell).includes('e') ? text : cell;
  },
  text: () => (value) =>
    typeof value === 'string' ? value : isList(value) || isObject(value) ? undefined : writeExact(value),
  date: () => (value) => (typeof value === 'string' && isDate(value) ? value : undefined),
  timestamp: () => (value) => (typeof value === 'string' ? zonedTime(value) : undefined),
  json: () => writeExact,
};

/** Appends the cells of a row to the columns. `number` counts rows from 1, for messages. */
export function readCells(
  row: ExactJson,
  { list, members, tell }: RestColumns,
  columns: readonly Cell[][],
  number: number,
): void {
  // A null row has no members, so it can have no unknown ones.
  if (members !== undefined && members !== 'whole' && row !== null) {
    const otherName = isObject(row) ? Object.keys(row).find((name) => !members.has(name)) : undefined;
    if (otherName !== undefined || !isObject(row))
      throw new ConnectorError(
        'statement-failed',
        `Row ${number} has ${otherName === undefined ? 'no members' : `the member ${tell(otherName)}`}, unlike the rows before: name the columns in columns.`,
        { origin: 'Service' },
      );
  }
  for (const [index, { column, parts, read }] of list.entries()) {
    const value = valueAt(row, parts) ?? null;
    const cell = value === null ? null : read(value);
    if (cell === undefined)
      throw new ConnectorError(
        'statement-failed',
        `Row ${number} has ${describe(value)} in ${tell(column.name)}, which is read as ${column.databaseType}: give the column its type in columns, such as {"at": "…", "type": "json"}.`,
        { origin: 'Service' },
      );
    columns[index]?.push(cell);
  }
}

/** Describes the kind of a value without revealing the value. */
function describe(value: ExactJson): string {
  if (value instanceof JsonNumber)
    return withoutExponent(value.text) === undefined
      ? `a number with an exponent beyond ${exponentMax}`
      : 'a number';
  if (isList(value)) return 'a list';
  if (isObject(value)) return 'an object';
  return typeof value === 'string' ? 'a text' : 'a truth value';
}
