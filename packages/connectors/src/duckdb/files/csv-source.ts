import { statSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, textLiteral } from '../names.ts';
import { type CsvEncoding, type CsvHead, raggedRow, readHead } from './csv-head.ts';
import { type DecodedFile, writeDecoded } from './decoded-file.ts';

/** Files up to this size are sniffed as a whole, larger ones by their first rows. Types are always checked as a whole. */
const sniffedBytesMax = 64 * 1024 * 1024;
const cachedSourcesMax = 200;
/** Sources by path, size and time of change: a process serves several statements. */
const cachedSources = new Map<string, string>();

/**
 * Returns the table function that reads a CSV file. A column has another type than text only if every value of the whole
 * file has its form in that type: `01067`, `1.10` next to `2`, or an identifier of more digits than a double has stay text.
 * A file that is not UTF-8 is read as UTF-16 if it begins with its mark, else as Windows-1252, which includes Latin-1.
 *
 * Throws the engine's error, or a `FileRefusal`, for a file that cannot be read as a whole.
 */
export async function csvSource(
  connection: DuckDBConnection,
  path: string,
  decoded: DecodedFile,
): Promise<string> {
  const { size = 0, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  const key = `${path}\0${size}\0${mtimeMs}`;
  const cached = cachedSources.get(key);
  if (cached !== undefined) return cached;
  const head = await readHead(path);
  try {
    const source = await typedSource(connection, { path, size, head, encoding: head.encoding });
    if (cachedSources.size >= cachedSourcesMax) cachedSources.clear();
    cachedSources.set(key, source);
    return source;
  } catch (error) {
    if (head.encoding !== 'utf-8' || !isNotUtf8(error)) throw error;
    await writeDecoded(path, size, decoded);
    return await typedSource(connection, { path: decoded.path, size, head, encoding: 'utf-8' });
  }
}

const isNotUtf8 = (error: unknown): boolean =>
  error instanceof Error && /not utf-8 encoded|Invalid unicode/i.test(error.message);

type CsvFile = {
  readonly path: string;
  readonly size: number;
  readonly head: CsvHead;
  readonly encoding: CsvEncoding;
};

type SniffedColumn = { readonly name: string; readonly type: string };

async function typedSource(connection: DuckDBConnection, file: CsvFile): Promise<string> {
  const { path, size, head, encoding } = file;
  const sample = size <= sniffedBytesMax ? ', sample_size = -1' : '';
  const comment = head.hasComments ? ", comment = '#'" : '';
  const fixed = `encoding = ${textLiteral(encoding)}${comment}`;
  const sniffed = await connection.runAndReadAll(
    `SELECT Delimiter AS delim, Quote AS quote, Escape AS escape, Comment AS comment, SkipRows AS skip,
       HasHeader AS header, [c.name FOR c IN Columns] AS names, [c.type FOR c IN Columns] AS types
     FROM sniff_csv(${textLiteral(path)}, ${fixed}${sample})`,
  );
  const [row] = sniffed.getRowObjectsJson();
  if (!row) throw new Error('The sniffer found nothing.');
  const names = textsOf(row['names']);
  if (names.length === 1 && head.raggedLine !== undefined) throw raggedRow(path, head.raggedLine);
  const types = textsOf(row['types']);
  const columns = names.map((name, at) => ({ name, type: types[at] ?? 'VARCHAR' }));
  const option = (name: string) => {
    const value = String(row[name] ?? '');
    return value === '(empty)' ? '' : value;
  };
  const quote = option('quote') || '"';
  const dialect = [
    `encoding = ${textLiteral(encoding)}`,
    `delim = ${textLiteral(option('delim'))}`,
    `quote = ${textLiteral(quote)}`,
    `escape = ${textLiteral(option('escape') || quote)}`,
    `comment = ${textLiteral(head.hasComments ? '#' : option('comment'))}`,
    `skip = ${Number(row['skip'] ?? 0)}`,
    `header = ${row['header'] === true}`,
  ].join(', ');
  const sourceOf = (typed: readonly SniffedColumn[]): string => {
    const members = typed.map(({ name, type }) => `${textLiteral(name)}: ${textLiteral(type)}`).join(', ');
    return `read_csv(${textLiteral(path)}, auto_detect = false, ${dialect}, columns = {${members}})`;
  };
  const untyped = sourceOf(columns.map(({ name }) => ({ name, type: 'VARCHAR' })));
  return sourceOf(await checkedTypes(connection, untyped, columns));
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Digits that every double has. */
const exactDigits = 15;
const whole = '-?(0|[1-9][0-9]*)';
const time = '[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6})?)?';
const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const zone = '(Z|[+-][0-9]{2}(:?[0-9]{2})?)?';

const matches = (column: string, pattern: string): string => `regexp_full_match(${column}, '${pattern}')`;

/** Reads aggregates over a whole column, and returns the type in which every value keeps its form. */
type TypeCheck = {
  readonly aggregates: readonly string[];
  readonly typeOf: (values: readonly unknown[]) => string;
};

const asText: TypeCheck = { aggregates: [], typeOf: () => 'VARCHAR' };

const every = (column: string, condition: string): string => `bool_and(${column} IS NULL OR (${condition}))`;

/** A check of texts of one form that a cast reads as well. */
const ofForm = (column: string, type: string, pattern: string): TypeCheck => ({
  aggregates: [every(column, `${matches(column, pattern)} AND TRY_CAST(${column} AS ${type}) IS NOT NULL`)],
  typeOf: ([fits]) => (fits === true ? type : 'VARCHAR'),
});

const sniffedNumber = /^(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|U.*INT.*|FLOAT|DOUBLE|DECIMAL.*)$/;

function checkOf({ name, type }: SniffedColumn): TypeCheck {
  const column = quoteName(name);
  if (sniffedNumber.test(type)) return numberCheck(column);
  if (type === 'BOOLEAN') return ofForm(column, type, 'true|false');
  if (type === 'DATE') return ofForm(column, type, day);
  if (type === 'TIME') return ofForm(column, type, time);
  if (type === 'TIMESTAMP') return ofForm(column, type, `${day}[T ]${time}`);
  if (type === 'TIMESTAMP WITH TIME ZONE') return ofForm(column, type, `${day}[T ]${time}${zone}`);
  return asText;
}

const decimalWidths = { min: 18, max: 38 } as const;

/** Integers, decimals of one scale, or doubles without zeros at their end; otherwise text. */
function numberCheck(column: string): TypeCheck {
  const digits = `length(replace(replace(${column}, '-', ''), '.', ''))`;
  const places = `length(split_part(${column}, '.', 2))`;
  // The sign of -0 and of -0.00 is lost in every type.
  const isSound = `NOT ${matches(column, '-0(\\.0*)?')}`;
  const casts = (to: string) =>
    every(column, `${matches(column, whole)} AND ${isSound} AND TRY_CAST(${column} AS ${to}) IS NOT NULL`);
  return {
    aggregates: [
      casts('BIGINT'),
      casts('HUGEINT'),
      every(column, `${matches(column, `${whole}\\.[0-9]+`)} AND ${isSound}`),
      `min(${places})`,
      `max(${places})`,
      `max(${digits})`,
      every(column, `${matches(column, `${whole}(\\.[0-9]*[1-9])?`)} AND ${isSound}`),
    ],
    typeOf: ([isBigint, isHugeint, isDecimal, placesMin, placesMax, digitsMax, hasNoTrailingZero]) => {
      if (isBigint === true) return 'BIGINT';
      if (isHugeint === true) return 'HUGEINT';
      const width = Math.max(decimalWidths.min, Number(digitsMax));
      if (isDecimal === true && placesMin === placesMax && width <= decimalWidths.max)
        return `DECIMAL(${width}, ${Number(placesMax)})`;
      return hasNoTrailingZero === true && Number(digitsMax) <= exactDigits ? 'DOUBLE' : 'VARCHAR';
    },
  };
}

/** Reads the whole file once. */
async function checkedTypes(
  connection: DuckDBConnection,
  source: string,
  columns: readonly SniffedColumn[],
): Promise<SniffedColumn[]> {
  const checks = columns.map(checkOf);
  const aggregates = checks.flatMap((check) => check.aggregates);
  const found =
    aggregates.length === 0
      ? undefined
      : await connection.runAndReadAll(`SELECT ${aggregates.join(', ')} FROM ${source}`);
  const values = found?.getRows()[0] ?? [];
  let at = 0;
  return columns.map(({ name }, index) => {
    const { aggregates: own = [], typeOf = asText.typeOf } = checks[index] ?? {};
    const type = typeOf(values.slice(at, at + own.length));
    at += own.length;
    return { name, type };
  });
}
