import type { DuckDBConnection } from '@duckdb/node-api';
import { shortened } from '../../shortened.ts';
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
 * Reads the file once, and once more if a row has a name that no column can have. Only rows whose text as a whole has a sign
 * of a fault are divided into their members.
 *
 * @returns the columns of objects and lists with doubles that have a whole number of 16 or more digits, too
 * @throws FileRefusal for a fraction with too many digits, and for a name that no column can have
 */
export async function checkMembers(
  connection: DuckDBConnection,
  { path, name: file }: JsonFile,
  columns: readonly JsonColumn[],
): Promise<{ readonly longNumbers: ReadonlySet<string> }> {
  const rows = signedRows(path, columns);
  const checks = [
    namesCheck(file),
    caseCheck(file, columns),
    ...(columns.some(({ type }) => /DOUBLE|JSON/.test(type)) ? [digitsCheck(file)] : []),
  ];
  const withDoubles = rows.nested.filter(({ column }) => column.type.includes('DOUBLE'));
  const aggregates = [
    'bool_or(hasNoName)',
    ...withDoubles.map(({ member }) => hasLongNumber(member)),
    ...checks.flatMap((check) => check.aggregates),
  ];
  const read = await connection.runAndReadAll(`SELECT ${aggregates.join(', ')} FROM ${rows.sql}`);
  const [haveNoName, ...values] = read.getRows()[0] ?? [];
  const long = withDoubles.filter((_member, at) => values[at] === true).map(({ column }) => column.name);
  const longNumbers = new Set(long);
  let at = withDoubles.length;
  const faults = checks.map(({ aggregates: checkAggregates, faultOf }) => {
    at += checkAggregates.length;
    return faultOf(values.slice(at - checkAggregates.length, at));
  });
  const innerName =
    haveNoName === true && faults[0] === undefined
      ? await innerNameFault(connection, file, rows, longNumbers)
      : undefined;
  const fault = innerName ?? faults.find((text) => text !== undefined);
  if (fault !== undefined) throw new FileRefusal(fault);
  return { longNumbers };
}

/** Column of objects or lists, and its member in the rows of `signedRows`. */
type Nested = { readonly column: JsonColumn; readonly member: string };
type SignedRows = { readonly sql: string; readonly nested: readonly Nested[] };

/**
 * Returns the rows of a file with signs of faults in their text: `bare`, the text without the content of its texts, in a row
 * with many digits or an exponent; `hasLong` for a long whole number; `hasNoName` for a name that no column can have. A row
 * with one of the last two has its nested members, which one call extracts.
 */
function signedRows(path: string, columns: readonly JsonColumn[]): SignedRows {
  const nested = columns
    .filter(({ type }) => type !== 'DOUBLE' && /STRUCT|DOUBLE/.test(type))
    .map((column, at) => {
      const member = `CAST(members[${at + 1}] AS VARCHAR)`;
      // A row that is no object is the value of the only column.
      const isRow = columns.length === 1 && column.name === 'json';
      return { column, member: isRow ? `coalesce(${member}, json)` : member };
    });
  const pointers = nested.map(({ column }) => textLiteral(pointerOf(column.name)));
  const members =
    nested.length === 0
      ? ''
      : `, CASE WHEN hasLong OR hasNoName THEN json_extract(json, [${pointers.join(', ')}]) END AS members`;
  return {
    sql: `(SELECT *${members}
      FROM (SELECT *, ${hasNoName('json')} AS hasNoName,
        coalesce(regexp_matches(bare, '${longNumber}'), false) AS hasLong
      FROM (SELECT row_number() OVER () AS row, json,
        CASE WHEN regexp_matches(json, '${digits}') THEN ${withoutTexts('json')} END AS bare
      FROM read_json_objects(${textLiteral(path)}))))`,
    nested,
  };
}

/** Aggregates over the rows, and the message of a fault; undefined without a fault. */
type MemberCheck = {
  readonly aggregates: readonly string[];
  readonly faultOf: (values: readonly unknown[]) => string | undefined;
};

/** Returns the JSON pointer of a member. */
const pointerOf = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const noColumnName = (row: unknown, file: string, name: string, where = ''): string =>
  `Row ${String(row)} of ${file} has a member with the name "${shortened(name)}"${where}, which no column can have. Give it another name.`;

/** Matches an empty name, or a name with the escape of NUL. In a text, the quotes of such a match would have escapes. */
const noName = String.raw`[{,]\s*("")\s*:|("(?:\\.|[^"\\])*\\u0000(?:\\.|[^"\\])*")\s*:`;

/** Returns the condition for a JSON text with a name that no column can have. */
const hasNoName = (json: string): string =>
  String.raw`(CASE WHEN contains(${json}, '""') OR contains(${json}, '\u0000')
    THEN regexp_matches(${json}, '${noName}') ELSE false END)`;

/**
 * Checks the names of the columns. The engine returns NULL for a member with an empty name, and reads a name only up to NUL.
 * A row that is no object makes all rows values of one column: then names lose nothing.
 */
function namesCheck(file: string): MemberCheck {
  const names = `list_filter(json_keys(json), lambda name: name = '' OR contains(name, chr(0)))`;
  const name = `CASE WHEN hasNoName THEN ${names}[1] END`;
  return {
    aggregates: [
      `bool_and(json_type(json) IN ('OBJECT', 'NULL'))`,
      `min(row) FILTER (${name} IS NOT NULL)`,
      `arg_min(${name}, row) FILTER (${name} IS NOT NULL)`,
    ],
    faultOf: ([areObjects, row, first]) =>
      areObjects === true && row !== null
        ? noColumnName(row, file, JSON.stringify(first).slice(1, -1))
        : undefined,
  };
}

/**
 * Returns the refusal of the first row with a name in an object below a column. A column that is read as JSON text can have
 * such a name.
 */
async function innerNameFault(
  connection: DuckDBConnection,
  file: string,
  { sql, nested }: SignedRows,
  longNumbers: ReadonlySet<string>,
): Promise<string | undefined> {
  const objects = nested.filter(
    ({ column: { name, type } }) => type.includes('STRUCT') && !longNumbers.has(name),
  );
  if (objects.length === 0) return undefined;
  const names = objects.map(
    ({ member }) => `CASE WHEN ${hasNoName(member)} THEN regexp_extract(${member}, '${noName}', 2) END`,
  );
  const conditions = objects.map(({ member }) => hasNoName(member));
  const read = await connection.runAndReadAll(
    `SELECT row, ${names.join(', ')} FROM (SELECT * FROM ${sql}
      WHERE hasNoName AND (${conditions.join(' OR ')}) ORDER BY row LIMIT 1)`,
  );
  const [row, ...first] = read.getRowsJson()[0] ?? [];
  const at = first.findIndex((name) => name !== null);
  const object = objects[at];
  if (!object) return undefined;
  return noColumnName(
    row,
    file,
    String(first[at]).slice(1, -1),
    ` in its member ${shortened(object.column.name)}`,
  );
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
        : `The file ${file} has members whose names differ by case alone, such as ${shortened(baseOf(renamed))}. Give one of them another name.`;
    },
  };
}

const withoutTexts = (json: string): string =>
  String.raw`regexp_replace(${json}, '"[^"\\]*(?:\\.[^"\\]*)*"', '""', 'g')`;

/** Matches a number with many characters or an exponent, and such a number in some texts. */
const digits = String.raw`(?:^|[:,\[\s])-?[0-9](?:[0-9.]{15}|[0-9.]*[eE])`;

/** Matches a whole number of 16 or more digits in a JSON text with empty texts. */
const longNumber = '(?:^|[^0-9.eE+-])-?[0-9]{16,}(?:[^0-9.eE]|$)';

/** Returns the aggregate for a long whole number in a member. */
const hasLongNumber = (member: string): string =>
  `bool_or(CASE WHEN hasLong AND regexp_matches(${member}, '${digits}')
    THEN regexp_matches(${withoutTexts(member)}, '${longNumber}') ELSE false END)`;

/** Returns SQL for the significant digits of a number: without outer zeros, the sign, the point and the exponent. */
const digitsOf = (number: string): string =>
  String.raw`regexp_replace(regexp_replace(${number}, '[eE].*', ''), '^[-0.]+|\.|[.0]+$', '', 'g')`;

/**
 * Refuses a fraction with more digits than its double has: the engine reads each fraction as a double and does not report
 * dropped digits. The double has the digits if its shortest text has them, or its text with 17 digits, which some programs
 * write.
 */
function digitsCheck(file: string): MemberCheck {
  const fractions = String.raw`regexp_extract_all(bare, '[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?')`;
  const double = 'TRY_CAST(number AS DOUBLE)';
  const isExact = `${digitsOf('number')} IN (${digitsOf(`CAST(${double} AS VARCHAR)`)},
    ${digitsOf(`printf('%.16e', ${double})`)})`;
  const isInexact = `CASE WHEN bare IS NOT NULL THEN len(list_filter(${fractions},
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
