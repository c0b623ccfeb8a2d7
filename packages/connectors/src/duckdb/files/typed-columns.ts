import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName } from '../names.ts';
import { FileRefusal } from './file-refusals.ts';
import type { FileSettings } from './file-settings.ts';

/** A column of a file and its type in DuckDB's words. */
export type TypedColumn = { readonly name: string; readonly type: string };

/** Types that the settings of a file give to its columns, by their names. */
export function givenTypes(
  path: string,
  names: readonly string[],
  { types = [] }: FileSettings,
): ReadonlyMap<string, string> {
  const strange = types.find(({ column }) => !names.includes(column));
  if (strange)
    throw new FileRefusal(
      `The file ${basename(path)} has no column ${strange.column}, to which its settings give a type. Its columns are: ${names.join(', ')}.`,
    );
  return new Map(types.map(({ column, type }) => [column, type]));
}

/** Reads the columns with given types as a whole: a value that does not fit is told now, with its line. */
export async function assertConvertible(
  connection: DuckDBConnection,
  source: string,
  given: ReadonlyMap<string, string>,
): Promise<void> {
  const counts = [...given.keys()].map((name) => `count(${quoteName(name)})`);
  if (counts.length > 0) await connection.runAndReadAll(`SELECT ${counts.join(', ')} FROM ${source}`);
}

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

function checkOf({ name, type }: TypedColumn, decimalSeparator: '.' | ','): TypeCheck {
  const column = quoteName(name);
  // With a decimal comma, a point is a fault and a comma is the point.
  const number = decimalSeparator === '.' ? column : `translate(${column}, ',.', '.,')`;
  if (sniffedNumber.test(type)) return numberCheck(number);
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
export async function checkedTypes(
  connection: DuckDBConnection,
  source: string,
  columns: readonly TypedColumn[],
  { given, decimalSeparator }: { given: ReadonlyMap<string, string>; decimalSeparator: '.' | ',' },
): Promise<TypedColumn[]> {
  const checks = columns.map((column) => {
    const type = given.get(column.name);
    return type === undefined ? checkOf(column, decimalSeparator) : { aggregates: [], typeOf: () => type };
  });
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
