import { basename } from 'node:path';
import {
  type DuckDBConnection,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  type DuckDBType,
} from '@duckdb/node-api';
import { quoteName, textLiteral } from '../names.ts';
import { type FileSource, selfDescribed } from './file-reading.ts';
import { FileRefusal } from './file-refusals.ts';
import { formCheck, runChecks, type TypeCheck, type TypedColumn } from './typed-columns.ts';

type JsonColumn = { readonly name: string; readonly type: DuckDBType };

/**
 * Returns the table function that reads a JSON file. A text has a time type only if every value of its column has the form of
 * that type, and a number is a double only if the double has all its digits. Inside of objects and lists, texts stay texts.
 *
 * @throws FileRefusal for a number with a fraction of more digits than a double has, and for names that differ by case alone
 */
export async function jsonSource(connection: DuckDBConnection, path: string): Promise<FileSource> {
  const detected = await connection.runAndReadAll(
    `SELECT * FROM read_json(${textLiteral(path)}, sample_size = -1) LIMIT 0`,
  );
  const columns = detected.columnNames().map((name, at) => ({ name, type: detected.columnType(at) }));
  await assertOwnNames(connection, path, columns);
  if (columns.some(({ type }) => /DOUBLE|JSON/.test(typeText(type)))) await assertDigits(connection, path);
  const types = await runChecks(
    connection,
    readJson(
      path,
      columns.map(({ name }) => ({ name, type: 'VARCHAR' })),
    ),
    columns.map(checkOf),
  );
  const typed = columns.map(({ name }, at) => ({ name, type: types[at] ?? 'VARCHAR' }));
  return { sql: readJson(path, typed), reading: selfDescribed };
}

function readJson(path: string, columns: readonly TypedColumn[]): string {
  const members = columns.map(({ name, type }) => `${textLiteral(name)}: ${textLiteral(type)}`);
  return `read_json(${textLiteral(path)}, columns = {${members.join(', ')}})`;
}

/** The engine detects such types in texts, and writes their values in its own form. */
const readsTexts = /^(UUID|DATE|TIME|TIMESTAMP.*)$/;

/** The type in the engine's words, with text in place of what was detected in texts. */
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
  if (text.includes('DOUBLE')) return nestedCheck(column, text);
  // Reads every value, so that a fault of the file shows now.
  return { aggregates: [`count(${column})`], typeOf: () => text };
}

/** The engine detects a time with a zone as one without. */
function momentCheck(name: string): TypeCheck {
  const [unzoned, zoned] = ['TIMESTAMP', 'TIMESTAMP WITH TIME ZONE'].map((type) => formCheck({ name, type }));
  const [isUnzoned = '', isMoment = ''] = [unzoned, zoned].flatMap((check) => check?.aggregates ?? []);
  return {
    aggregates: [isUnzoned, isMoment],
    typeOf: ([fitsUnzoned, fitsZoned]) =>
      fitsUnzoned === true ? 'TIMESTAMP' : fitsZoned === true ? 'TIMESTAMP WITH TIME ZONE' : 'VARCHAR',
  };
}

/** Whole numbers have all their digits in the text that the engine reads. */
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

/** Objects and lists with doubles stay JSON where one of their whole numbers has more digits than a double. */
const nestedCheck = (column: string, type: string): TypeCheck => ({
  aggregates: [
    `bool_or(regexp_matches(${withoutTexts(column)}, '(^|[^0-9.eE+-])-?[0-9]{16,}([^0-9.eE]|$)'))`,
  ],
  typeOf: ([isLong]) => (isLong === true ? 'JSON' : type),
});

/** No program writes a double with more digits. */
const doubleDigits = 17;

/** The engine reads a fraction as a double wherever it is, and tells nothing of the digits that it leaves out. */
async function assertDigits(connection: DuckDBConnection, path: string): Promise<void> {
  const fractions = String.raw`regexp_extract_all(${withoutTexts('json')}, '[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?')`;
  const digits = String.raw`regexp_replace(regexp_replace(number, '[eE].*', ''), '^[0.]+|\.|0+$', '', 'g')`;
  const found = await connection.runAndReadAll(
    `SELECT row FROM (SELECT row_number() OVER () AS row, json FROM read_json_objects(${textLiteral(path)}))
      WHERE regexp_matches(json, '[0-9.]{${doubleDigits + 1},}') AND len(list_filter(${fractions}, lambda number:
        regexp_matches(number, '[.eE]') AND length(${digits}) > ${doubleDigits})) > 0
      ORDER BY row LIMIT 1`,
  );
  const row = found.getRowsJson()[0]?.[0];
  if (row !== undefined)
    throw new FileRefusal(
      `Row ${String(row)} of ${basename(path)} has a number with more digits than a double has. Write it as a text, in quotes.`,
    );
}

/** Where two members differ by case alone, the engine gives the second one another name. */
async function assertOwnNames(
  connection: DuckDBConnection,
  path: string,
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
        `The file ${basename(path)} has members whose names differ by case alone, such as ${base}. Give one of them another name.`,
      );
  }
}
