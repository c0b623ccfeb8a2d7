import type { PassThroughForm, PassThroughType } from '../../port.ts';
import type { PostgresqlColumn } from './describe.ts';

/**
 * Types with the same binary form on every server of every supported version, regardless of its settings. Excluded
 * are money, whose fraction digits depend on a server setting, and types without a fixed id.
 */
const fixedTypes = new Set([
  16, 17, 18, 19, 20, 21, 23, 25, 26, 114, 600, 601, 602, 603, 604, 628, 650, 700, 701, 718, 774, 829, 869,
  1042, 1043, 1082, 1083, 1114, 1184, 1186, 1266, 1560, 1562, 1700, 2950, 3802,
  // Arrays of these types. They contain the id of their element type.
  199, 651, 1000, 1001, 1005, 1007, 1009, 1014, 1015, 1016, 1021, 1022, 1041, 1115, 1182, 1183, 1185, 1187,
  1231, 1270, 2951, 3807,
]);

const int2 = 21;
const int4 = 23;
const int8 = 20;
const numeric = 1700;
const double = 701;
const text = 25;
const bpchar = 1042;
const varchar = 1043;
const date = 1082;
const timestamp = 1114;
const timestamptz = 1184;
const uuid = 2950;
const json = 114;
const jsonb = 3802;

/** Wider types that accept the texts of a type as equal values, in a column without a length or precision. */
const widerTypes = new Map<number, readonly number[]>([
  [int2, [int4, int8, numeric, double, text]],
  [int4, [int8, numeric, double, text]],
  [int8, [numeric, text]],
  [numeric, [text]],
  [varchar, [text]],
  [bpchar, [text]],
  [text, [varchar]],
  [uuid, [text]],
  [json, [text]],
  [jsonb, [json, text]],
  // The sessions of both sides run in UTC.
  [date, [timestamp, timestamptz]],
  [timestamp, [timestamptz]],
  [timestamptz, [timestamp]],
]);

/** Types whose modifier is a length or precision. A larger one includes smaller ones. */
const lengths = new Set([varchar, timestamp, timestamptz]);

const holds = (type: number, wide: number, narrow: number): boolean =>
  wide === -1 || wide === narrow || (lengths.has(type) && narrow !== -1 && wide > narrow);

/**
 * Returns the form in which a column accepts each value of the other type unchanged and unread. Undefined for a
 * shorter column or another type: the server would silently round, cut or change values.
 */
function formOf(
  column: PostgresqlColumn,
  { typeOid, typeModifier }: PassThroughType,
): PassThroughForm | undefined {
  if (column.typeOid !== typeOid) {
    const isWider = widerTypes.get(typeOid)?.includes(column.typeOid) ?? false;
    return isWider && column.typeModifier === -1 ? 'text' : undefined;
  }
  return fixedTypes.has(typeOid) && holds(typeOid, column.typeModifier, typeModifier) ? 'binary' : undefined;
}

/** Returns the form of whole rows: binary if all their columns accept it. */
export function passThroughForm(
  columns: readonly PostgresqlColumn[],
  types: readonly PassThroughType[],
): PassThroughForm | undefined {
  const forms = columns.map((column, at) => {
    const type = types[at];
    return type && formOf(column, type);
  });
  if (forms.includes(undefined)) return undefined;
  return forms.includes('text') ? 'text' : 'binary';
}
