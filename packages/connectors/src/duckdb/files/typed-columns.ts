import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { shortened } from '../../shortened.ts';
import { quoteName } from '../names.ts';
import { FileRefusal } from './file-refusals.ts';
import type { FileSettings } from './file-settings.ts';

/** A column of a file and its DuckDB type. */
export type TypedColumn = { readonly name: string; readonly type: string };

/**
 * Returns the column types in the settings of a file, by column name.
 *
 * @throws FileRefusal for the type of a column that the file does not have
 */
export function declaredTypesOf(
  path: string,
  names: readonly string[],
  { types = [] }: FileSettings,
): ReadonlyMap<string, string> {
  const strange = types.find(({ column }) => !names.includes(column));
  if (strange)
    throw new FileRefusal(
      `The file ${basename(path)} has no column ${shortened(strange.column)}, to which its settings give a type. Remove the type, or correct the name of the column.`,
    );
  return new Map(types.map(({ column, type }) => [column, type]));
}

/** Decimal digits that every double preserves. */
const exactDigits = 15;
const integer = '-?(0|[1-9][0-9]*)';
const time = '[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6})?)?';
const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
/** Excludes 24:00, which is valid as a time of day, but means the next day in a timestamp. */
const moment = `${day}[T ]([01][0-9]|2[0-3]):[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6})?)?`;
const zone = '(Z|[+-][0-9]{2}(:?[0-9]{2})?)';

const matches = (column: string, pattern: string): string => `regexp_full_match(${column}, '${pattern}')`;

/** Aggregates over a column, and the resulting type in which every value retains its form. */
export type TypeCheck = {
  readonly aggregates: readonly string[];
  readonly typeOf: (values: readonly unknown[]) => string;
};

const asText: TypeCheck = { aggregates: [], typeOf: () => 'VARCHAR' };

const every = (column: string, condition: string): string => `bool_and(${column} IS NULL OR (${condition}))`;

/** Returns a check for texts that match the pattern, that a cast accepts and that meet another condition. */
const ofForm = (column: string, type: string, pattern: string, condition = 'true'): TypeCheck => ({
  aggregates: [
    every(
      column,
      `${matches(column, pattern)} AND TRY_CAST(${column} AS ${type}) IS NOT NULL AND ${condition}`,
    ),
  ],
  typeOf: ([fits]) => (fits === true ? type : 'VARCHAR'),
});

/** Returns the SQL condition under which a type represents a text unchanged. */
function fits(type: string, column: string, number: string): string {
  const form = (value: string, pattern: string) =>
    `${matches(value, pattern)} AND TRY_CAST(${value} AS ${type}) IS NOT NULL`;
  const [, places] = /^DECIMAL\([0-9]+, ?([0-9]+)\)$/.exec(type) ?? [];
  if (places !== undefined)
    return form(number, places === '0' ? integer : `${integer}(\\.[0-9]{1,${places}})?`);
  switch (type) {
    case 'BIGINT':
    case 'HUGEINT':
      return `${form(number, integer)} AND ${number} <> '-0'`;
    case 'DOUBLE':
      return `${form(number, `${integer}(\\.[0-9]+)?([eE][-+]?[0-9]+)?`)} AND isfinite(CAST(${number} AS DOUBLE))
        AND (CAST(${number} AS DOUBLE) <> 0 OR NOT regexp_matches(${number}, '^[^eE]*[1-9]'))
        AND (length(regexp_replace(${number}, '[^0-9]|[eE].*', '', 'g')) <= ${exactDigits}
          OR CAST(CAST(${number} AS DOUBLE) AS VARCHAR) = ${number})`;
    case 'BOOLEAN':
      return form(column, 'true|false');
    case 'DATE':
      return form(column, day);
    case 'TIME':
      return form(column, time);
    case 'TIMESTAMP':
      return form(column, moment);
    case 'TIMESTAMP WITH TIME ZONE':
      return form(column, moment + zone);
    default:
      return 'true';
  }
}

/**
 * Returns SQL for the number with a decimal point. With a decimal comma, a point becomes a comma, so that the check refuses
 * it.
 */
const numberOf = (column: string, decimalSeparator: '.' | ','): string =>
  decimalSeparator === '.' ? column : `translate(${column}, ',.', '.,')`;

/** @throws FileRefusal for the first row whose value would change in the type that the settings name for its column. */
export async function assertFits(
  connection: DuckDBConnection,
  source: string,
  { file, declaredTypes, decimalSeparator, placeOf }: DeclaredTypes,
): Promise<void> {
  for (const [name, type] of declaredTypes) {
    const condition = fits(type, 'value', numberOf('value', decimalSeparator));
    if (condition === 'true') continue;
    const result = await connection.runAndReadAll(
      `SELECT row FROM (SELECT row_number() OVER () AS row, ${quoteName(name)} AS value FROM ${source})
        WHERE value IS NOT NULL AND NOT (${condition}) ORDER BY row LIMIT 1`,
    );
    const row = result.getRowsJson()[0]?.[0];
    if (row !== undefined)
      throw new FileRefusal(
        `${await placeOf(Number(row))} of ${basename(file)} has a value in the column ${shortened(name)} that changes as ${type}. Correct it, or give the column another type in the settings of the file.`,
      );
  }
}

/** Settings for the columns of a file. */
export type DeclaredTypes = {
  /** Path for messages. */
  readonly file: string;
  readonly declaredTypes: ReadonlyMap<string, string>;
  readonly decimalSeparator: '.' | ',';
  /** Returns the place of a row in the file, such as `Line 3`. Rows begin at 1, without the header. */
  readonly placeOf: (row: number) => Promise<string> | string;
  /** Reads text columns as well, so that the check reports a fault of the file. Default: false. */
  readonly readsText?: boolean;
};

const sniffedNumber = /^(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|U.*INT.*|FLOAT|DOUBLE|DECIMAL.*)$/;

const checkOf = (column: TypedColumn, decimalSeparator: '.' | ','): TypeCheck =>
  sniffedNumber.test(column.type)
    ? numberCheck(numberOf(quoteName(column.name), decimalSeparator))
    : formCheck(column);

/**
 * Returns a check for texts that the detected type leaves unchanged. A timestamp is the same with `T` or a blank, without
 * seconds, with zeros at the end of its fraction and with any offset: it leaves in the standard form.
 */
export function formCheck({ name, type }: TypedColumn): TypeCheck {
  const column = quoteName(name);
  // The engine has the year 1 BC for 0000.
  const hasYear = `NOT starts_with(${column}, '0000')`;
  if (type === 'BOOLEAN') return ofForm(column, type, 'true|false');
  if (type === 'DATE') return ofForm(column, type, day, hasYear);
  if (type === 'TIME') return ofForm(column, type, time, returns(column, type));
  if (type === 'TIMESTAMP') return ofForm(column, type, moment, hasYear);
  if (type === 'TIMESTAMP WITH TIME ZONE') return ofForm(column, type, moment + zone, hasYear);
  return asText;
}

/** Returns the SQL condition under which a type has the same text. */
const returns = (text: string, type: string): string =>
  `CAST(TRY_CAST(${text} AS ${type}) AS VARCHAR) IS NOT DISTINCT FROM ${text}`;

const decimalWidths = { min: 18, max: 38 } as const;

/** Returns a check for integers, decimals of one scale, or doubles without trailing zeros; otherwise text. */
function numberCheck(column: string): TypeCheck {
  const digits = `length(replace(replace(${column}, '-', ''), '.', ''))`;
  const places = `length(split_part(${column}, '.', 2))`;
  // A double of this size leaves with an exponent, such as 1e-7.
  const isSmall = matches(column, '-?0\\.000000.*');
  // Every type would lose the sign of -0 and of -0.00.
  const isSound = `NOT ${matches(column, '-0(\\.0*)?')}`;
  const casts = (to: string) =>
    every(column, `${matches(column, integer)} AND ${isSound} AND TRY_CAST(${column} AS ${to}) IS NOT NULL`);
  return {
    aggregates: [
      casts('BIGINT'),
      casts('HUGEINT'),
      every(column, `${matches(column, `${integer}\\.[0-9]+`)} AND ${isSound}`),
      `min(${places})`,
      `max(${places})`,
      `max(${digits})`,
      every(column, `${matches(column, `${integer}(\\.[0-9]*[1-9])?`)} AND ${isSound} AND NOT ${isSmall}`),
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

/**
 * Returns the columns with their types. Reads the whole file once, and once more for each column with a type in the settings.
 *
 * @param source  reads every column as text
 */
export async function checkedTypes(
  connection: DuckDBConnection,
  source: string,
  columns: readonly TypedColumn[],
  settings: DeclaredTypes,
): Promise<TypedColumn[]> {
  const { declaredTypes, decimalSeparator, readsText = false } = settings;
  await assertFits(connection, source, settings);
  const checks = columns.map((column) => {
    const type = declaredTypes.get(column.name);
    return type === undefined ? checkOf(column, decimalSeparator) : { aggregates: [], typeOf: () => type };
  });
  const texts: TypeCheck[] = readsText
    ? columns.map(({ name }) => ({ ...asText, aggregates: [`count(${quoteName(name)})`] }))
    : [];
  const types = await runChecks(connection, source, [...checks, ...texts]);
  return columns.map(({ name }, index) => ({ name, type: types[index] ?? 'VARCHAR' }));
}

/** Checks of one statement. Statements with thousands of aggregates exceed the memory of the engine. */
const batchChecksMax = 100;

/** Returns the type of each check, in order. Reads the source once for each 100 checks. */
export async function runChecks(
  connection: DuckDBConnection,
  source: string,
  checks: readonly TypeCheck[],
): Promise<string[]> {
  const types: string[] = [];
  for (let from = 0; from < checks.length; from += batchChecksMax)
    types.push(...(await runBatch(connection, source, checks.slice(from, from + batchChecksMax))));
  return types;
}

async function runBatch(
  connection: DuckDBConnection,
  source: string,
  checks: readonly TypeCheck[],
): Promise<string[]> {
  const aggregates = checks.flatMap((check) => check.aggregates);
  const result =
    aggregates.length === 0
      ? undefined
      : await connection.runAndReadAll(`SELECT ${aggregates.join(', ')} FROM ${source}`);
  const values = result?.getRows()[0] ?? [];
  let at = 0;
  return checks.map(({ aggregates: checkAggregates, typeOf }) => {
    at += checkAggregates.length;
    return typeOf(values.slice(at - checkAggregates.length, at));
  });
}
