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
import { checkMembers, type JsonColumn } from './json-members.ts';
import { cachedSource, type Detection } from './source-cache.ts';
import { formCheck, runChecks, type TypeCheck, type TypedColumn } from './typed-columns.ts';

/**
 * Returns the table function that reads a JSON file. A text column has a time type only if every value has the form of that
 * type. A number is a double only if the double has all its digits. Texts inside objects and lists stay texts.
 *
 * @throws FileRefusal for a fraction with more digits than a double has, for names that differ only by case, and for names
 *   that no column can have
 */
export function jsonSource(
  connection: DuckDBConnection,
  place: string,
  decoded: DecodedFile,
): Promise<FileSource> {
  return cachedSource({ path: place, format: 'json', settings: {} }, decoded, () =>
    detectJson(connection, place, decoded),
  );
}

/** Reads the file three times: the engine's detection, the members in the text, and the values in their types. */
async function detectJson(
  connection: DuckDBConnection,
  place: string,
  decoded: DecodedFile,
): Promise<Detection> {
  const hasMark = await beginsWithMark(place);
  const copy = hasMark ? (to: DecodedFile) => writeDecoded(place, 'utf-8', to) : null;
  await copy?.(decoded);
  const path = hasMark ? decoded.path : place;
  const detected = await connection.runAndReadAll(
    `SELECT * FROM read_json(${textLiteral(path)}, sample_size = -1, map_inference_threshold = -1,
      hive_partitioning = false) LIMIT 0`,
  );
  const detectedColumns = detected.columnNames().map((name, at) => {
    const type = detected.columnType(at);
    return { name, detected: String(type), type: wholeType(typeText(type)) };
  });
  const { longNumbers } = await checkMembers(connection, { path, name: basename(place) }, detectedColumns);
  const columns = detectedColumns.map((column) => ({
    ...column,
    type: longNumbers.has(column.name) ? 'JSON' : column.type,
  }));
  const types = await runChecks(
    connection,
    readJson(
      path,
      columns.map(({ name, type }) => ({ name, type: isNested(type) ? type : 'VARCHAR' })),
    ),
    columns.map(checkOf),
  );
  const typed = columns.map(({ name }, at) => ({ name, type: types[at] ?? 'VARCHAR' }));
  return { copy, sqlOf: (at) => readJson(at, typed), reading: selfDescribed };
}

/** True for objects and lists, whose faults the engine reports only if it reads their members with their types. */
const isNested = (type: string): boolean => /[[(]/.test(type);

/** Returns JSON for a type with JSON inside, because a text in such a member would have quotes. */
const wholeType = (type: string): string => (/\bJSON\b/.test(type) ? 'JSON' : type);

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

const integer = '-?[0-9]+';

function checkOf({ name, detected, type }: JsonColumn): TypeCheck {
  const column = quoteName(name);
  if (detected === 'DOUBLE') return numberCheck(column);
  if (detected === 'TIMESTAMP') return momentCheck(name);
  if (detected !== 'UUID' && readsTexts.test(detected)) return formCheck({ name, type: detected });
  // Reads every value, so that the check reports a fault of the file.
  return { aggregates: [`count(${column})`], typeOf: () => type };
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
  const isWhole = `regexp_full_match(${column}, '${integer}')`;
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
