import type { DuckDBConnection } from '@duckdb/node-api';
import { textLiteral } from '../names.ts';
import { FileRefusal } from './file-refusals.ts';

/** Column that the engine detected in a JSON file. */
export type JsonColumn = {
  readonly name: string;
  /** Type that the engine detected. */
  readonly detected: string;
  /** Type in SQL. Texts inside it are texts. JSON for a column with a member of changing types. */
  readonly type: string;
};

type JsonFile = {
  /** Path of the file, or of its copy without a byte order mark. */
  readonly path: string;
  /** Name for messages. */
  readonly name: string;
};

/**
 * Checks the members of all rows in the text of the file. The engine's own reading would lose the faults that this check refuses.
 * Reads the file once.
 *
 * @returns the columns of objects and lists with doubles that have a whole number of 16 or more digits, too
 * @throws FileRefusal for a fraction with too many digits, and for a name that no column can have
 */
export async function checkMembers(
  connection: DuckDBConnection,
  { path, name: file }: JsonFile,
  columns: readonly JsonColumn[],
): Promise<{ readonly longNumbers: ReadonlySet<string> }> {
  const memberOf = ({ name }: JsonColumn): string => {
    const member = `json_extract(json, ${textLiteral(pointerOf(name))})`;
    // A row that is no object is the value of the only column.
    return columns.length === 1 && name === 'json' ? `coalesce(${member}, json)` : member;
  };
  const checks = [
    namesCheck(file),
    ...columns.filter(({ type }) => type.includes('STRUCT')).map((it) => innerNamesCheck(file, it, memberOf)),
    caseCheck(file, columns),
    ...(columns.some(({ type }) => /DOUBLE|JSON/.test(type)) ? [digitsCheck(file)] : []),
  ];
  const nested = columns.filter(({ type }) => type !== 'DOUBLE' && type.includes('DOUBLE'));
  const aggregates = [
    ...checks.flatMap((check) => check.aggregates),
    ...nested.map((column) => hasLongNumber(memberOf(column))),
  ];
  const read = await connection.runAndReadAll(
    `SELECT ${aggregates.join(', ')}
      FROM (SELECT row_number() OVER () AS row, json FROM read_json_objects(${textLiteral(path)}))`,
  );
  const values = read.getRows()[0] ?? [];
  let at = 0;
  for (const { aggregates: own, faultOf } of checks) {
    const fault = faultOf(values.slice(at, at + own.length));
    if (fault !== undefined) throw new FileRefusal(fault);
    at += own.length;
  }
  const long = nested.filter((_column, index) => values[at + index] === true);
  return { longNumbers: new Set(long.map(({ name }) => name)) };
}

/** Aggregates over the rows, and the message of a fault; undefined without a fault. */
type MemberCheck = {
  readonly aggregates: readonly string[];
  readonly faultOf: (values: readonly unknown[]) => string | undefined;
};

/** Returns the JSON pointer of a member. */
const pointerOf = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const noColumnName = (row: unknown, file: string, name: string, where = ''): string =>
  `Row ${String(row)} of ${file} has a member with the name ${name}${where}, which no column can have. Give it another name.`;

/** Text of every row with an empty name or NUL in a name. Other rows contain it, too. */
const mayHaveNoName = String.raw`(contains(json, '""') OR contains(json, '\u0000'))`;

/**
 * Checks the names of the columns. The engine returns NULL for a member with an empty name, and reads a name only up to NUL.
 * A row that is no object makes all rows values of one column: then names lose nothing.
 */
function namesCheck(file: string): MemberCheck {
  const names = `list_filter(json_keys(json), lambda name: name = '' OR contains(name, chr(0)))`;
  const name = `CASE WHEN ${mayHaveNoName} THEN ${names}[1] END`;
  return {
    aggregates: [
      `bool_and(json_type(json) IN ('OBJECT', 'NULL'))`,
      `min(row) FILTER (${name} IS NOT NULL)`,
      `arg_min(${name}, row) FILTER (${name} IS NOT NULL)`,
    ],
    faultOf: ([areObjects, row, first]) =>
      areObjects === true && row !== null ? noColumnName(row, file, JSON.stringify(first)) : undefined,
  };
}

/** Checks the names in objects below a column, in their text. Such a name is empty, or contains the escape of NUL. */
function innerNamesCheck(
  file: string,
  column: JsonColumn,
  memberOf: (column: JsonColumn) => string,
): MemberCheck {
  const pattern = String.raw`[{,]\s*("")\s*:|("(?:\\.|[^"\\])*\\u0000(?:\\.|[^"\\])*")\s*:`;
  const matches = `CASE WHEN ${mayHaveNoName} THEN regexp_matches(CAST(${memberOf(column)} AS VARCHAR), '${pattern}') ELSE false END`;
  const name = `regexp_extract(CAST(${memberOf(column)} AS VARCHAR), '${pattern}', 2)`;
  return {
    aggregates: [`min(row) FILTER (${matches})`, `arg_min(${name}, row) FILTER (${matches})`],
    faultOf: ([row, first]) =>
      row === null
        ? undefined
        : noColumnName(row, file, String(first) || '""', ` in its member ${column.name}`),
  };
}

/** Refuses members whose names differ only by case, because the engine renames the second member. */
function caseCheck(file: string, columns: readonly JsonColumn[]): MemberCheck {
  const baseOf = (name: string): string => name.replace(/_[0-9]+$/, '');
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  const doubtful = columns
    .map(({ name }) => name)
    .filter((name) => baseOf(name) !== name && names.has(baseOf(name).toLowerCase()));
  return {
    aggregates: doubtful.map((name) => `bool_or(list_contains(json_keys(json), ${textLiteral(name)}))`),
    faultOf: (values) => {
      const renamed = doubtful.find((_name, at) => values[at] !== true);
      return renamed === undefined
        ? undefined
        : `The file ${file} has members whose names differ by case alone, such as ${baseOf(renamed)}. Give one of them another name.`;
    },
  };
}

const withoutTexts = (json: string): string =>
  String.raw`regexp_replace(${json}, '"(\\.|[^"\\])*"', '""', 'g')`;

/** Returns the aggregate for a whole number of 16 or more digits in a member. */
const hasLongNumber = (member: string): string =>
  `bool_or(regexp_matches(json, '[0-9]{16,}') AND regexp_matches(${withoutTexts(`CAST(${member} AS VARCHAR)`)},
    '(^|[^0-9.eE+-])-?[0-9]{16,}([^0-9.eE]|$)'))`;

/** Returns SQL for the significant digits of a number: without outer zeros, the sign, the point and the exponent. */
const digitsOf = (number: string): string =>
  String.raw`regexp_replace(regexp_replace(${number}, '[eE].*', ''), '^[-0.]+|\.|[.0]+$', '', 'g')`;

/**
 * Refuses a fraction with more digits than its double has: the engine reads each fraction as a double and does not report
 * dropped digits. The double has the digits if its shortest text has them, or its text with 17 digits, which some programs
 * write.
 */
function digitsCheck(file: string): MemberCheck {
  const fractions = String.raw`regexp_extract_all(${withoutTexts('json')}, '[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?')`;
  const double = 'TRY_CAST(number AS DOUBLE)';
  const isExact = `${digitsOf('number')} IN (${digitsOf(`CAST(${double} AS VARCHAR)`)},
    ${digitsOf(`printf('%.16e', ${double})`)})`;
  const isInexact = `CASE WHEN regexp_matches(json, '[0-9.]{16,}|[0-9][eE]') THEN len(list_filter(${fractions},
    lambda number: regexp_matches(number, '[.eE]') AND NOT coalesce(isfinite(${double}) AND ${isExact}, false))) > 0
    ELSE false END`;
  return {
    aggregates: [`min(row) FILTER (${isInexact})`],
    faultOf: ([row]) =>
      row === null
        ? undefined
        : `Row ${String(row)} of ${file} has a number with more digits than a double has. Write it as a text, in quotes.`,
  };
}
