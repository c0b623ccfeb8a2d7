import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type DuckDBConnection,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  type DuckDBType,
} from '@duckdb/node-api';
import { quoteName, textLiteral } from '../names.ts';
import { type DecodedFile, writeDecoded } from './decoded-file.ts';
import { type FileSource, selfDescribed } from './file-reading.ts';
import { FileRefusal } from './file-refusals.ts';
import { formCheck, runChecks, type TypeCheck, type TypedColumn } from './typed-columns.ts';

type JsonColumn = { readonly name: string; readonly type: DuckDBType };

/**
 * Returns the table function that reads a JSON file. A text column has a time type only if every value has the form of that
 * type. A number is a double only if the double has all its digits. Texts inside objects and lists stay texts.
 *
 * @throws FileRefusal for a fraction with more digits than a double has, and for names that differ only by case
 */
export async function jsonSource(
  connection: DuckDBConnection,
  place: string,
  decoded: DecodedFile,
): Promise<FileSource> {
  const hasMark = await beginsWithMark(place);
  if (hasMark) await writeDecoded(place, 'utf-8', decoded);
  const path = hasMark ? decoded.path : place;
  const detected = await connection.runAndReadAll(
    `SELECT * FROM read_json(${textLiteral(path)}, sample_size = -1, map_inference_threshold = -1,
      hive_partitioning = false) LIMIT 0`,
  );
  const columns = detected.columnNames().map((name, at) => ({ name, type: detected.columnType(at) }));
  const file = { path, name: basename(place) };
  await assertOwnNames(connection, file, columns);
  if (columns.some(({ type }) => /DOUBLE|JSON/.test(typeText(type)))) await assertDigits(connection, file);
  const types = await runChecks(
    connection,
    readJson(
      path,
      columns.map(({ name }) => ({ name, type: 'VARCHAR' })),
    ),
    columns.map(checkOf),
  );
  const typed = columns.map(({ name }, at) => ({ name, type: types[at] ?? 'VARCHAR' }));
  // The engine reports a fault inside an object only if it reads the members with their types.
  if (types.some((type) => /[[(]/.test(type)))
    await connection.run(`SELECT count(COLUMNS(*)) FROM ${readJson(path, typed)}`);
  return { sql: readJson(path, typed), reading: selfDescribed };
}

function readJson(path: string, columns: readonly TypedColumn[]): string {
  const members = columns.map(({ name, type }) => `${textLiteral(name)}: ${textLiteral(type)}`);
  return `read_json(${textLiteral(path)}, hive_partitioning = false, columns = {${members.join(', ')}})`;
}

/** Types that the engine detects in texts. It would write their values in its own form. */
const readsTexts = /^(UUID|DATE|TIME|TIMESTAMP.*)$/;

/** Returns the type in SQL, with VARCHAR in place of types that the engine detected in texts. */
function typeText(type: DuckDBType): string {
  if (type.alias === 'JSON') return 'JSON';
  if (type instanceof DuckDBListType) return `${typeText(type.valueType)}[]`;
  if (type instanceof DuckDBMapType) return `MAP(${typeText(type.keyType)}, ${typeText(type.valueType)})`;
  if (type instanceof DuckDBStructType) {
    const members = type.entryNames.map(
      (name, at) => `${quoteName(name)} ${typeText(type.entryTypes[at] as DuckDBType)}`,
    );
    return `STRUCT(${members.join(', ')})`;
  }
  const text = String(type);
  return readsTexts.test(text) ? 'VARCHAR' : text;
}

const whole = '-?[0-9]+';

function checkOf({ name, type }: JsonColumn): TypeCheck {
  const column = quoteName(name);
  const detected = String(type);
  const text = typeText(type);
  if (detected === 'DOUBLE') return numberCheck(column);
  if (detected === 'TIMESTAMP') return momentCheck(name);
  if (detected !== 'UUID' && readsTexts.test(detected)) return formCheck({ name, type: detected });
  // In a nested member of the type JSON, a text would have quotes. The whole column becomes JSON instead.
  if (text !== 'JSON' && /\bJSON\b/.test(text))
    return { aggregates: [`count(${column})`], typeOf: () => 'JSON' };
  if (text.includes('DOUBLE')) return nestedCheck(column, text);
  // Reads every value, so that the check reports a fault of the file.
  return { aggregates: [`count(${column})`], typeOf: () => text };
}

/** Checks timestamps with and without a zone, because the engine detects both as TIMESTAMP. */
function momentCheck(name: string): TypeCheck {
  const [unzoned, zoned] = ['TIMESTAMP', 'TIMESTAMP WITH TIME ZONE'].map((type) => formCheck({ name, type }));
  const [isUnzoned = '', isMoment = ''] = [unzoned, zoned].flatMap((check) => check?.aggregates ?? []);
  return {
    aggregates: [isUnzoned, isMoment],
    typeOf: ([fitsUnzoned, fitsZoned]) =>
      fitsUnzoned === true ? 'TIMESTAMP' : fitsZoned === true ? 'TIMESTAMP WITH TIME ZONE' : 'VARCHAR',
  };
}

/** Checks the digits of whole numbers: the text that the engine reads has all of them. */
function numberCheck(column: string): TypeCheck {
  const isWhole = `regexp_full_match(${column}, '${whole}')`;
  const huge = `TRY_CAST(${column} AS HUGEINT)`;
  const all = (condition: string) => `bool_and(${column} IS NULL OR (${condition}))`;
  return {
    aggregates: [
      all(
        `CASE WHEN ${isWhole} THEN TRY_CAST(CAST(${column} AS DOUBLE) AS HUGEINT) = ${huge} IS TRUE
          ELSE TRY_CAST(${column} AS DOUBLE) IS NOT NULL END`,
      ),
      all(`${isWhole} AND ${huge} IS NOT NULL`),
    ],
    typeOf: ([isExact, isHuge]) => (isExact === true ? 'DOUBLE' : isHuge === true ? 'HUGEINT' : 'VARCHAR'),
  };
}

const withoutTexts = (json: string): string =>
  String.raw`regexp_replace(${json}, '"(\\.|[^"\\])*"', '""', 'g')`;

/** Reads objects and lists with doubles as JSON if a whole number in them has 16 or more digits. */
const nestedCheck = (column: string, type: string): TypeCheck => ({
  aggregates: [
    `bool_or(regexp_matches(${withoutTexts(column)}, '(^|[^0-9.eE+-])-?[0-9]{16,}([^0-9.eE]|$)'))`,
  ],
  typeOf: ([isLong]) => (isLong === true ? 'JSON' : type),
});

/** Returns SQL for the significant digits of a number: without outer zeros, the sign, the point and the exponent. */
const digitsOf = (number: string): string =>
  String.raw`regexp_replace(regexp_replace(${number}, '[eE].*', ''), '^[-0.]+|\.|[.0]+$', '', 'g')`;

/**
 * Refuses a fraction with more digits than its double has: the engine reads each fraction as a double and does not report
 * dropped digits. The double has the digits if its shortest text has them, or its text with 17 digits, which some programs
 * write.
 */
async function assertDigits(connection: DuckDBConnection, { path, name }: JsonFile): Promise<void> {
  const fractions = String.raw`regexp_extract_all(${withoutTexts('json')}, '[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?')`;
  const double = 'TRY_CAST(number AS DOUBLE)';
  const isExact = `${digitsOf('number')} IN (${digitsOf(`CAST(${double} AS VARCHAR)`)},
    ${digitsOf(`printf('%.16e', ${double})`)})`;
  const found = await connection.runAndReadAll(
    `SELECT row FROM (SELECT row_number() OVER () AS row, json FROM read_json_objects(${textLiteral(path)}))
      WHERE regexp_matches(json, '[0-9.]{16,}|[0-9][eE]') AND len(list_filter(${fractions}, lambda number:
        regexp_matches(number, '[.eE]') AND NOT coalesce(isfinite(${double}) AND ${isExact}, false))) > 0
      ORDER BY row LIMIT 1`,
  );
  const row = found.getRowsJson()[0]?.[0];
  if (row !== undefined)
    throw new FileRefusal(
      `Row ${String(row)} of ${name} has a number with more digits than a double has. Write it as a text, in quotes.`,
    );
}

type JsonFile = {
  /** Path of the file, or of its copy without a byte order mark. */
  readonly path: string;
  /** Name for messages. */
  readonly name: string;
};

const mark = Buffer.from([0xef, 0xbb, 0xbf]);

async function beginsWithMark(path: string): Promise<boolean> {
  // The engine reports a missing file.
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer } = await file.read(Buffer.alloc(mark.length), 0, mark.length, 0);
    return buffer.equals(mark);
  } finally {
    await file.close();
  }
}

/** Refuses members whose names differ only by case, because the engine renames the second member. */
async function assertOwnNames(
  connection: DuckDBConnection,
  { path, name: file }: JsonFile,
  columns: readonly JsonColumn[],
): Promise<void> {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  for (const { name } of columns) {
    const base = name.replace(/_[0-9]+$/, '');
    if (base === name || !names.has(base.toLowerCase())) continue;
    const found = await connection.runAndReadAll(
      `SELECT 1 FROM read_json_objects(${textLiteral(path)}) WHERE list_contains(json_keys(json), ${textLiteral(name)}) LIMIT 1`,
    );
    if (found.currentRowCount === 0)
      throw new FileRefusal(
        `The file ${file} has members whose names differ by case alone, such as ${base}. Give one of them another name.`,
      );
  }
}
