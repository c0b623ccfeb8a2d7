import type { WriteMode } from '../../writers/port.ts';
import { quoteName, textLiteral } from '../names.ts';
import type { FilePlace } from './place.ts';

/** A column of the new file. */
export type FileColumn = {
  readonly name: string;
  readonly type: string;
  /** Index of its field in the incoming rows; undefined if they have no such field. */
  readonly from: number | undefined;
};

/** Inputs and mode of the merge of a copy. */
export type FileWrite = {
  readonly place: FilePlace;
  readonly spool: string;
  readonly fieldTypes: readonly string[];
  readonly columns: readonly FileColumn[];
  readonly mode: WriteMode;
  readonly keyColumns: readonly string[];
};

/** Returns the table function that reads an existing file. A CSV file has a header, and all its fields are text. */
export const readerOf = ({ path, format, delimiter }: FilePlace): string =>
  format === 'parquet'
    ? `read_parquet(${textLiteral(path)})`
    : `read_csv(${textLiteral(path)}, header = true, all_varchar = true, ${dialect(delimiter)})`;

const dialect = (delimiter: string): string =>
  `delim = ${textLiteral(delimiter)}, quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false`;

/**
 * Returns statements that create a view `s` of the incoming rows, with columns `c0`…, and a view `t` of the existing rows,
 * with columns `t0`….
 */
function views({ place, spool, fieldTypes, columns }: FileWrite): string[] {
  const read = fieldTypes.map((type, at) => `'f${at}': '${plainTypes.has(type) ? type : 'VARCHAR'}'`);
  const incoming = columns.map(({ type, from }, at) => `${fieldAs(type, from)} AS c${at}`);
  const source = `read_csv(${textLiteral(spool)}, auto_detect = false, header = false, new_line = '\\n', ${dialect(',')},
    columns = {'n': 'BIGINT', ${read.join(', ')}})`;
  const stands = place.exists
    ? `SELECT ${columns.map(({ name }, at) => `${quoteName(name)} AS t${at}`).join(', ')} FROM ${readerOf(place)}`
    : `SELECT ${columns.map(({ type }, at) => `CAST(NULL AS ${type}) AS t${at}`).join(', ')} WHERE false`;
  return [`CREATE VIEW s AS SELECT n, ${incoming.join(', ')} FROM ${source}`, `CREATE VIEW t AS ${stands}`];
}

/** Types that the reader of the spool parses without a cast. */
const plainTypes = new Set(['BIGINT', 'INTEGER', 'DOUBLE', 'BOOLEAN', 'VARCHAR']);

function fieldAs(type: string, from: number | undefined): string {
  if (from === undefined) return `CAST(NULL AS ${type})`;
  if (type === 'BLOB') return `unhex(f${from})`;
  return plainTypes.has(type) ? `f${from}` : `CAST(f${from} AS ${type})`;
}

const keysOf = ({ columns, keyColumns }: FileWrite): number[] =>
  keyColumns.map((key) => columns.findIndex(({ name }) => name === key));

const isSame = (write: FileWrite): string =>
  keysOf(write)
    .map((at) => `s.c${at} = t.t${at}`)
    .join(' AND ');

/**
 * Returns statements that count key faults, in this order: incoming rows without a key, duplicate incoming keys, duplicate
 * existing keys.
 */
export const keyChecks = (write: FileWrite): string[] => {
  const of = (side: 's' | 't') => keysOf(write).map((at) => `${side === 's' ? 'c' : 't'}${at}`);
  const doubled = (side: 's' | 't') =>
    `SELECT count(*) FROM (SELECT 1 FROM ${side} GROUP BY ${of(side).join(', ')} HAVING count(*) > 1)`;
  const isNull = of('s').map((name) => `${name} IS NULL`);
  return [...views(write), `SELECT count(*) FROM s WHERE ${isNull.join(' OR ')}`, doubled('s'), doubled('t')];
};

/** Returns statements that count, in this order: incoming rows, existing rows, matched rows, changed matched rows. */
export function counts(write: FileWrite): string[] {
  const rows = 'SELECT (SELECT count(*) FROM s), (SELECT count(*) FROM t)';
  if (write.mode === 'Insert' || write.mode === 'Truncate') return [...views(write), `${rows}, 0, 0`];
  const keys = keysOf(write);
  const differs = write.columns
    .map(({ from }, at) => ({ from, at }))
    .filter(({ from, at }) => from !== undefined && !keys.includes(at))
    .map(({ at }) => `s.c${at} IS DISTINCT FROM t.t${at}`);
  const changed = differs.length === 0 ? '0' : `count(*) FILTER (WHERE ${differs.join(' OR ')})`;
  return [
    ...views(write),
    `${rows}, j.matched, j.changed FROM
      (SELECT count(*) AS matched, ${changed} AS changed FROM t JOIN s ON ${isSame(write)}) j`,
  ];
}

/**
 * Returns statements that write the complete new file: remaining rows, then new rows. A merge by key does not preserve
 * the order of rows.
 */
export const copyTo = (write: FileWrite, work: string): string[] => {
  const { format, delimiter } = write.place;
  const shape =
    format === 'parquet'
      ? 'FORMAT parquet'
      : `FORMAT csv, HEADER true, DELIMITER ${textLiteral(delimiter)}, QUOTE '"', ESCAPE '"', NULLSTR ''`;
  return [...views(write), `COPY (${rowsOf(write)}) TO ${textLiteral(work)} (${shape}, USE_TMP_FILE false)`];
};

function rowsOf(write: FileWrite): string {
  const { columns, mode } = write;
  const incoming = columns.map(({ name }, at) => `s.c${at} AS ${quoteName(name)}`).join(', ');
  const standing = columns.map(({ name }, at) => `t.t${at} AS ${quoteName(name)}`).join(', ');
  if (mode === 'Truncate') return `SELECT ${incoming} FROM s`;
  if (mode === 'Insert') return `SELECT ${standing} FROM t UNION ALL SELECT ${incoming} FROM s`;
  const keys = keysOf(write);
  const merged = columns.map(({ name, from }, at) => {
    const isKept = from === undefined || keys.includes(at);
    return `${isKept ? `t.t${at}` : `CASE WHEN s.n IS NULL THEN t.t${at} ELSE s.c${at} END`} AS ${quoteName(name)}`;
  });
  const join = mode === 'Sync' ? 'JOIN' : 'LEFT JOIN';
  return `SELECT ${merged.join(', ')} FROM t ${join} s ON ${isSame(write)}
    UNION ALL SELECT ${incoming} FROM s ANTI JOIN t ON ${isSame(write)}`;
}
