import type { Column, ColumnKind } from '@svc/connectors';

/** Types whose values all fit into a signed 64-bit integer, the integer type of new tables. */
const within64Bits = new Set([
  'tinyint',
  'smallint',
  'mediumint',
  'int',
  'integer',
  'bigint',
  'year',
  'oid',
  'xid',
  'tinyint unsigned',
  'smallint unsigned',
  'mediumint unsigned',
  'int unsigned',
  'year unsigned',
  'utinyint',
  'usmallint',
  'uinteger',
  'byteint',
  'byte',
  'short',
  'long',
  'int2',
  'int4',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
]);

const withoutWrappers = (type: string): string =>
  type
    .toLowerCase()
    .replace(/^(?:(?:nullable|lowcardinality)\()+(\w+)\)*$/, '$1')
    .trim();

/**
 * Returns the kind of column that has the whole range of a source's column, for a table that the copy creates. Integers
 * that may be beyond 64 bits become decimals. Times of day become text where the new type has no offset, or no time beyond
 * a day.
 */
export function newKindOf(
  { kind, databaseType }: Column,
  sourceEngine: string,
  writerEngine: string,
): ColumnKind {
  if (kind === 'integer') return within64Bits.has(withoutWrappers(databaseType)) ? kind : 'decimal';
  if (kind !== 'time') return kind;
  const hasOffset = /timetz|with time zone/i.test(databaseType);
  const isDuration = sourceEngine === 'MySQL' && writerEngine !== 'MySQL';
  return hasOffset || isDuration ? 'text' : kind;
}
