import type pg from 'pg';
import {
  type Cell,
  type ColumnKind,
  decimalCell,
  floatCell,
  integerCell,
  timestampCell,
  utcTimestampCell,
} from '../../values.ts';

type PostgresqlType = { readonly name: string; readonly kind: ColumnKind };

/** Built-in types by their fixed object id. Values of other types arrive as text. */
const typesByOid = new Map<number, PostgresqlType>([
  [16, { name: 'boolean', kind: 'boolean' }],
  [17, { name: 'bytea', kind: 'binary' }],
  [18, { name: '"char"', kind: 'text' }],
  [19, { name: 'name', kind: 'text' }],
  [20, { name: 'bigint', kind: 'integer' }],
  [21, { name: 'smallint', kind: 'integer' }],
  [23, { name: 'integer', kind: 'integer' }],
  [25, { name: 'text', kind: 'text' }],
  [26, { name: 'oid', kind: 'integer' }],
  [114, { name: 'json', kind: 'json' }],
  [142, { name: 'xml', kind: 'text' }],
  [700, { name: 'real', kind: 'float' }],
  [701, { name: 'double precision', kind: 'float' }],
  [790, { name: 'money', kind: 'text' }],
  [869, { name: 'inet', kind: 'text' }],
  [650, { name: 'cidr', kind: 'text' }],
  [1000, { name: 'boolean[]', kind: 'other' }],
  [1005, { name: 'smallint[]', kind: 'other' }],
  [1007, { name: 'integer[]', kind: 'other' }],
  [1009, { name: 'text[]', kind: 'other' }],
  [1015, { name: 'character varying[]', kind: 'other' }],
  [1016, { name: 'bigint[]', kind: 'other' }],
  [1042, { name: 'character', kind: 'text' }],
  [1043, { name: 'character varying', kind: 'text' }],
  [1082, { name: 'date', kind: 'date' }],
  [1083, { name: 'time', kind: 'time' }],
  [1114, { name: 'timestamp', kind: 'timestamp' }],
  [1184, { name: 'timestamptz', kind: 'timestamptz' }],
  [1186, { name: 'interval', kind: 'interval' }],
  [1231, { name: 'numeric[]', kind: 'other' }],
  [1266, { name: 'timetz', kind: 'time' }],
  [1700, { name: 'numeric', kind: 'decimal' }],
  [2249, { name: 'record', kind: 'other' }],
  [2950, { name: 'uuid', kind: 'uuid' }],
  [3802, { name: 'jsonb', kind: 'json' }],
]);

/** Returns true if `typesByOid` contains the type. */
export const isListedType = (oid: number): boolean => typesByOid.has(oid);

/** Returns name and kind of a type. */
export function postgresqlType(oid: number): PostgresqlType {
  return typesByOid.get(oid) ?? { name: `oid ${oid}`, kind: 'other' };
}

const asIs = (text: string): Cell => text;

const parsers = new Map<ColumnKind, (text: string) => Cell>([
  ['boolean', (text) => text === 't'],
  ['integer', integerCell],
  ['decimal', decimalCell],
  ['float', floatCell],
  ['binary', (text) => text.slice(2)],
  ['timestamp', timestampCell],
  ['timestamptz', utcTimestampCell],
]);

/** Parsers that convert the server's text to cells. They rely on the session's output settings. */
export const postgresqlCells: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => parsers.get(postgresqlType(oid).kind) ?? asIs,
};
