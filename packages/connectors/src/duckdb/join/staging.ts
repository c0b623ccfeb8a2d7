import {
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBValue,
} from '@duckdb/node-api';
import { distinctNames } from '../../distinct-names.ts';
import { ConnectorError } from '../../error.ts';
import type { Batch, Cell, Column } from '../../values.ts';
import { quoteName } from '../names.ts';
import { type StagedColumn, stagedColumn } from './staged-column.ts';

/** Most rows of a DuckDB data chunk. */
const chunkRows = 2_048;

/** A step's table during loading. */
export type Staging = {
  /** @throws ConnectorError that names the column and the row of a value that the table cannot represent. */
  readonly append: (batch: Batch) => void;
  /** Sets the final column types and the table name. Returns one sentence for each column with a note. */
  readonly finish: () => Promise<readonly string[]>;
};

type NamedColumn = StagedColumn & { readonly name: string };

/** Creates the table of a step's rows. The caller appends the rows in batches. */
export async function createStaging(
  connection: DuckDBConnection,
  table: string,
  columns: readonly Column[],
): Promise<Staging> {
  const names = uniqueNames(columns);
  const staged = columns.map(
    (column, index): NamedColumn => ({ ...stagedColumn(column), name: names[index] ?? '' }),
  );
  const firstName = `staged ${table}`;
  const definitions = staged.map(({ name, type }) => `${quoteName(name)} ${type}`);
  await connection.run(`CREATE TABLE ${quoteName(firstName)} (${definitions.join(', ')})`);
  const appender = await connection.createAppender(firstName);
  let rowsBefore = 0;

  async function finish(): Promise<readonly string[]> {
    appender.closeSync();
    if (staged.some(needsCast)) await castInto(connection, firstName, table, staged);
    else await connection.run(`ALTER TABLE ${quoteName(firstName)} RENAME TO ${quoteName(table)}`);
    return staged.flatMap(({ name, note }) => {
      const reason = note?.();
      return reason === undefined ? [] : [`The column ${name} of ${table} ${reason}.`];
    });
  }

  return {
    append: (batch) => {
      appendBatch(appender, staged, batch, rowsBefore);
      rowsBefore += batch.rowCount;
    },
    finish,
  };
}

const needsCast = ({ type, finalType }: StagedColumn): boolean =>
  finalType !== undefined && finalType() !== type.toString();

async function castInto(
  connection: DuckDBConnection,
  firstName: string,
  table: string,
  staged: readonly NamedColumn[],
): Promise<void> {
  for (const { name, finalType } of staged)
    if (finalType?.() === 'JSON') await assertJson(connection, firstName, name);
  const selected = staged.map((column) => finalColumn(column, quoteName(column.name)));
  await connection.run(
    `CREATE TABLE ${quoteName(table)} AS SELECT ${selected.join(', ')} FROM ${quoteName(firstName)}`,
  );
  await connection.run(`DROP TABLE ${quoteName(firstName)}`);
}

/** Throws for a text that DuckDB cannot parse as JSON. The error names the row. */
async function assertJson(connection: DuckDBConnection, table: string, name: string): Promise<void> {
  const result = await connection.runAndReadAll(
    `SELECT rowid FROM ${quoteName(table)} WHERE NOT json_valid(${quoteName(name)}) LIMIT 1`,
  );
  const [row] = result.getRows();
  if (row) throw unrepresentable(name, Number(row[0]) + 1);
}

function finalColumn(column: NamedColumn, name: string): string {
  if (!needsCast(column)) return name;
  const expression = column.finalExpression?.(name) ?? `CAST(${name} AS ${column.finalType?.()})`;
  return `${expression} AS ${name}`;
}

function appendBatch(
  appender: DuckDBAppender,
  staged: readonly NamedColumn[],
  batch: Batch,
  rowsBefore: number,
): void {
  const types = staged.map(({ type }) => type);
  for (let from = 0; from < batch.rowCount; from += chunkRows) {
    const rowCount = Math.min(chunkRows, batch.rowCount - from);
    const chunk = DuckDBDataChunk.create(types, rowCount);
    for (const [index, column] of staged.entries()) {
      const cells = batch.columns[index] ?? [];
      chunk.setColumnValues(index, valuesOf(cells.slice(from, from + rowCount), rowsBefore + from, column));
    }
    appender.appendDataChunk(chunk);
  }
}

function valuesOf(cells: readonly Cell[], rowsBefore: number, { name, write }: NamedColumn): DuckDBValue[] {
  return cells.map((cell, row) => {
    if (cell === null) return null;
    const value = write(cell);
    if (value === undefined) throw unrepresentable(name, rowsBefore + row + 1);
    return value;
  });
}

/** Returns the error for a value. The message omits the value, because it may be personal data. */
const unrepresentable = (column: string, row: number): ConnectorError =>
  new ConnectorError(
    'statement-failed',
    `Row ${row} has a value in the column ${column} that a query over several data sources cannot represent exactly. Convert the column to text in its step.`,
    { origin: 'Service' },
  );

/** Returns distinct names. DuckDB compares names without case. An unnamed column is named by its number. */
function uniqueNames(columns: readonly Column[]): string[] {
  const columnNames = new Set(columns.map(({ name }) => name.toLowerCase()));
  const names = columns.map(({ name }, index) => {
    if (name !== '') return name;
    let numbered = `column${index + 1}`;
    while (columnNames.has(numbered)) numbered = `_${numbered}`;
    return numbered;
  });
  return distinctNames(names, (name) => name.toLowerCase());
}
