import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  VARCHAR,
} from '@duckdb/node-api';
import { distinctNames } from '../distinct-names.ts';
import { ConnectorError } from '../error.ts';
import type { Batch, Cell, Column } from '../values.ts';
import { quoteName } from './instance.ts';

/** A chunk of DuckDB holds this many rows. */
const chunkRows = 2_048;

const smallIntegers = new Set([
  'smallint',
  'integer',
  'int',
  'tinyint',
  'mediumint',
  'year',
  'tinyint unsigned',
  'smallint unsigned',
  'mediumint unsigned',
  'year unsigned',
  'utinyint',
  'usmallint',
]);
/** Whole numbers that may be beyond 64 bits. */
const largeIntegers = new Set(['bigint unsigned', 'ubigint', 'hugeint', 'uhugeint', 'bignum']);
const largeIntegersOfClickhouse = /\b(UInt64|U?Int128|U?Int256)\b/;

type Staged = {
  readonly type: DuckDBType;
  readonly write: (cell: Exclude<Cell, null>) => DuckDBValue;
  /** The type that the column gets when all rows are there; text is turned into it by the engine. */
  readonly finalType?: () => string;
  readonly finalExpression?: (name: string) => string;
  readonly look?: (cell: string | number | boolean) => void;
};

/** A table of a step's rows while it is filled. */
export type Staging = {
  readonly append: (batch: Batch) => void;
  /** Gives the columns their types and the table its name. */
  readonly finish: () => Promise<void>;
};

/** Makes the table that a step's rows are appended to, chunk by chunk. */
export async function createStaging(
  connection: DuckDBConnection,
  table: string,
  columns: readonly Column[],
): Promise<Staging> {
  const staged = columns.map(stagedColumn);
  const names = uniqueNames(columns);
  const needsCast = staged.some((column) => column.finalType !== undefined);
  const firstName = needsCast ? `staged ${table}` : table;
  const definitions = staged.map((column, index) => `${quoteName(names[index] ?? '')} ${column.type}`);
  await connection.run(`CREATE TABLE ${quoteName(firstName)} (${definitions.join(', ')})`);
  const appender = await connection.createAppender(firstName);
  const types = staged.map((column) => column.type);

  async function finish(): Promise<void> {
    appender.closeSync();
    if (!needsCast) return;
    const selected = staged.map((column, index) => finalColumn(column, quoteName(names[index] ?? '')));
    await connection.run(
      `CREATE TABLE ${quoteName(table)} AS SELECT ${selected.join(', ')} FROM ${quoteName(firstName)}`,
    );
    await connection.run(`DROP TABLE ${quoteName(firstName)}`);
  }

  return { append: (batch) => appendBatch(appender, types, staged, batch), finish };
}

function finalColumn(column: Staged, name: string): string {
  if (!column.finalType) return name;
  const expression = column.finalExpression?.(name) ?? `CAST(${name} AS ${column.finalType()})`;
  return `${expression} AS ${name}`;
}

function appendBatch(
  appender: DuckDBAppender,
  types: readonly DuckDBType[],
  staged: readonly Staged[],
  batch: Batch,
): void {
  for (let from = 0; from < batch.rowCount; from += chunkRows) {
    const rowCount = Math.min(chunkRows, batch.rowCount - from);
    const chunk = DuckDBDataChunk.create(types, rowCount);
    for (const [index, column] of staged.entries()) {
      chunk.setColumnValues(index, valuesOf(batch.columns[index] ?? [], from, rowCount, column));
    }
    appender.appendDataChunk(chunk);
  }
}

function valuesOf(cells: readonly Cell[], from: number, rowCount: number, column: Staged): DuckDBValue[] {
  const values = new Array<DuckDBValue>(rowCount);
  for (let row = 0; row < rowCount; row++) {
    const cell = cells[from + row] ?? null;
    if (cell !== null) column.look?.(cell);
    values[row] = cell === null ? null : column.write(cell);
  }
  return values;
}

const asText = (cell: string | number | boolean): string => (typeof cell === 'string' ? cell : String(cell));

const castTypes = new Map<Column['kind'], string>([
  ['date', 'DATE'],
  ['time', 'TIME'],
  ['timestamp', 'TIMESTAMP'],
  ['timestamptz', 'TIMESTAMPTZ'],
  ['json', 'JSON'],
  ['uuid', 'UUID'],
]);

function stagedColumn(column: Column): Staged {
  if (column.kind === 'boolean') return { type: BOOLEAN, write: (cell) => cell === true };
  if (column.kind === 'float') return { type: DOUBLE, write: Number };
  if (column.kind === 'decimal') return decimalColumn();
  if (column.kind === 'integer') return integerColumn(column.databaseType);
  if (column.kind === 'binary') {
    return {
      type: VARCHAR,
      write: asText,
      finalType: () => 'BLOB',
      finalExpression: (name) => `unhex(${name})`,
    };
  }
  // Times of day beyond a day and times with an offset are no TIME of DuckDB: they stay text.
  const castType = column.kind === 'time' ? timeType(column.databaseType) : castTypes.get(column.kind);
  return castType === undefined
    ? { type: VARCHAR, write: asText }
    : { type: VARCHAR, write: asText, finalType: () => castType };
}

const timeType = (databaseType: string): string | undefined =>
  databaseType === 'time' || /\bTime(64)?\b/.test(databaseType) ? undefined : 'TIMETZ';

function integerColumn(databaseType: string): Staged {
  if (smallIntegers.has(databaseType)) return { type: INTEGER, write: Number };
  if (largeIntegers.has(databaseType) || largeIntegersOfClickhouse.test(databaseType))
    return largeIntegerColumn();
  return { type: BIGINT, write: wholeNumber };
}

const hugeDigitsMax = 38;

/** HUGEINT has 128 bits: what has more digits becomes a BIGNUM. */
function largeIntegerColumn(): Staged {
  let digits = 1;
  return {
    type: VARCHAR,
    write: asText,
    look: (cell) => {
      digits = Math.max(digits, asText(cell).replace('-', '').length);
    },
    finalType: () => (digits <= hugeDigitsMax ? 'HUGEINT' : 'BIGNUM'),
  };
}

/** SQLite's columns may hold anything: what the first rows were is a guess that later rows can disprove. */
function wholeNumber(cell: string | number | boolean): bigint {
  try {
    return BigInt(cell);
  } catch (error) {
    const message = 'A column of whole numbers holds another value: cast the column in its step.';
    throw new ConnectorError('statement-failed', message, { origin: 'Service', cause: error });
  }
}

const widthMin = 18;
const widthMax = 38;

/** Digits are counted as the rows come: the column becomes the narrowest DECIMAL that holds them all exactly. */
function decimalColumn(): Staged {
  let wholeDigits = 1;
  let scale = 0;
  let areAllDecimals = true;
  return {
    type: VARCHAR,
    write: asText,
    look: (cell) => {
      const match = /^-?(\d+)(?:\.(\d+))?$/.exec(asText(cell));
      if (!match) areAllDecimals = false;
      wholeDigits = Math.max(wholeDigits, match?.[1]?.length ?? 1);
      scale = Math.max(scale, match?.[2]?.length ?? 0);
    },
    finalType: () =>
      areAllDecimals && wholeDigits + scale <= widthMax
        ? `DECIMAL(${Math.max(widthMin, wholeDigits + scale)}, ${scale})`
        : 'DOUBLE',
  };
}

/** DuckDB compares names without case; a column without a name gets its number. */
function uniqueNames(columns: readonly Column[]): string[] {
  const given = new Set(columns.map(({ name }) => name.toLowerCase()));
  const names = columns.map(({ name }, index) => {
    if (name !== '') return name;
    let numbered = `column${index + 1}`;
    while (given.has(numbered)) numbered = `_${numbered}`;
    return numbered;
  });
  return distinctNames(names, (name) => name.toLowerCase());
}
