import type { Column, ColumnKind } from './values.ts';

/**
 * JSON type of the cells of a column. It depends only on the type of the column, so it is the same for every row.
 *
 * `number`: exact in a double, except that a `float` column has its `NaN` and infinities as text. `json`: the text of
 * a JSON value.
 */
export type JsonForm = 'boolean' | 'number' | 'text' | 'json';

/** Integer types of all engines with at most 53 bits: a double represents all their values. */
const narrowIntegers = new Set([
  'tinyint',
  'smallint',
  'mediumint',
  'int',
  'integer',
  'year',
  'oid',
  'byteint',
  'byte',
  'short',
  'tinyint unsigned',
  'smallint unsigned',
  'mediumint unsigned',
  'int unsigned',
  'year unsigned',
  'utinyint',
  'usmallint',
  'uinteger',
  'int2',
  'int4',
  'int8',
  'int16',
  'int32',
  'uint8',
  'uint16',
  'uint32',
]);

/** Decimals without a scale and with a precision in brackets, such as `NUMBER(9,0)`, and bits, such as `bit(8)`. */
const sized = /^(?:number|numeric|decimal|dec)\((\d+)(?:,\s*0)?\)$|^bit\((\d+)\)$/;
const exactDigits = 15;
const exactBits = 53;

const unwrapped = (type: string): string =>
  type.toLowerCase().replace(/^(?:(?:nullable|lowcardinality)\()+(\w+)\)*$/, '$1');

/** Returns true if a double represents every value of the integer type. A type outside this list counts as wider. */
function isNarrow(databaseType: string): boolean {
  const type = unwrapped(databaseType);
  if (narrowIntegers.has(type)) return true;
  const [, digits, bits] = sized.exec(type) ?? [];
  if (digits !== undefined) return Number(digits) <= exactDigits;
  return bits !== undefined && Number(bits) <= exactBits;
}

const forms: Readonly<Record<Exclude<ColumnKind, 'integer'>, JsonForm>> = {
  boolean: 'boolean',
  decimal: 'text',
  float: 'number',
  text: 'text',
  uuid: 'text',
  date: 'text',
  time: 'text',
  timestamp: 'text',
  timestamptz: 'text',
  interval: 'text',
  binary: 'text',
  json: 'json',
  other: 'text',
};

/** Returns the JSON type of the cells of a column. */
export const jsonFormOf = ({
  kind,
  databaseType,
  isLoose = false,
}: Pick<Column, 'kind' | 'databaseType' | 'isLoose'>): JsonForm =>
  kind === 'integer' ? (!isLoose && isNarrow(databaseType) ? 'number' : 'text') : forms[kind];
