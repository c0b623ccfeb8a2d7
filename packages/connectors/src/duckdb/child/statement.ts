import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api';
import type { BoundValue } from '../../bound-value.ts';
import type { RowSource } from '../../embedded/send-rows.ts';
import { ConnectorError } from '../../error.ts';
import { withSources } from '../../lineage/sources.ts';
import { duckdbError } from '../errors.ts';
import { sourcesOfSelect } from '../lineage/lineage.ts';
import { assertOwnTables } from './own-tables.ts';
import { type ReadText, readOneSelect } from './syntax-tree.ts';
import { duckdbCells, duckdbColumns } from './types.ts';

export type StatementText = {
  readonly sql: string;
  readonly values: readonly BoundValue[];
  /** Requests the sources of each column. */
  readonly wantSources: boolean;
  /** Names of the only tables that the statement may read; set if databases of files are attached. Default: no limit. */
  readonly confinedTo?: ReadonlySet<string>;
};

/** Prepares exactly one SELECT, or an EXPLAIN of a SELECT, and starts it as a stream. */
export async function startStatement(
  connection: DuckDBConnection,
  { sql, values, wantSources, confinedTo }: StatementText,
  close: () => void,
): Promise<RowSource> {
  try {
    const { statement, read } = await prepareRead(connection, sql, confinedTo).catch((error: unknown) => {
      throw duckdbError(error, sql, 'Prepare');
    });
    const sources = wantSources && !read.isExplain ? await sourcesOfSelect(connection, read.tree) : undefined;
    for (const [index, value] of values.entries()) bind(statement, index + 1, value);
    const result = await statement.stream();
    const columns = withSources(duckdbColumns(result), sources);
    const types = result.columnTypes();
    return {
      columns,
      close,
      next: async () => {
        try {
          const chunk = await result.fetchChunk();
          if (!chunk || chunk.rowCount === 0) return undefined;
          return {
            rowCount: chunk.rowCount,
            columns: types.map((type, index) => duckdbCells(chunk, index, type)),
          };
        } catch (error) {
          throw duckdbError(error, sql);
        }
      },
    };
  } catch (error) {
    throw duckdbError(error, sql);
  }
}

type PreparedRead = { readonly statement: DuckDBPreparedStatement; readonly read: ReadText };

async function prepareRead(
  connection: DuckDBConnection,
  sql: string,
  confinedTo: ReadonlySet<string> | undefined,
): Promise<PreparedRead> {
  const read = await readOneSelect(connection, sql);
  if (confinedTo) assertOwnTables(read.tree, confinedTo);
  const extracted = await connection.extractStatements(read.sql);
  if (extracted.count !== 1) {
    throw new ConnectorError('more-than-one-statement', 'Only one statement may be run at a time.');
  }
  const statement = await extracted.prepare(0);
  const expected = read.isExplain ? StatementType.EXPLAIN : StatementType.SELECT;
  if (statement.statementType === expected) return { statement, read };
  throw new ConnectorError('not-a-read', 'Only statements that read are allowed here.');
}

/** Binds NULL, a boolean or a text. The cast at the marker sets the type of a text. */
function bind(statement: DuckDBPreparedStatement, index: number, { value }: BoundValue): void {
  if (index > statement.parameterCount) return;
  if (value === null) statement.bindNull(index);
  else if (typeof value === 'boolean') statement.bindBoolean(index, value);
  else statement.bindVarchar(index, value);
}
