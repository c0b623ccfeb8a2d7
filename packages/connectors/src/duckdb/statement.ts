import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api';
import type { BoundValue } from '../bound-value.ts';
import type { RowSource } from '../embedded/send-rows.ts';
import { ConnectorError } from '../error.ts';
import { duckdbDialect } from '../sql/dialects.ts';
import { readSqlTokens, tokenText } from '../sql/lexer.ts';
import { duckdbError } from './errors.ts';
import { duckdbCells, duckdbColumns } from './types.ts';

/** Prepares exactly one statement of the type SELECT and starts it as a stream. */
export async function startStatement(
  connection: DuckDBConnection,
  sql: string,
  values: readonly BoundValue[],
  close: () => void,
): Promise<RowSource> {
  try {
    const statement = await prepareRead(connection, sql);
    for (const [index, value] of values.entries()) bind(statement, index + 1, value);
    const result = await statement.stream();
    const columns = duckdbColumns(result);
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

async function prepareRead(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  const extracted = await connection.extractStatements(sql);
  if (extracted.count !== 1) {
    throw new ConnectorError('more-than-one-statement', 'Only one statement may be run at a time.');
  }
  const statement = await extracted.prepare(0);
  if (statement.statementType === StatementType.SELECT) return statement;
  if (statement.statementType === StatementType.EXPLAIN) {
    await assertExplainsRead(connection, sql);
    return statement;
  }
  throw new ConnectorError('not-a-read', 'Only statements that read are allowed here.');
}

/** `EXPLAIN ANALYZE` runs what it explains, so what it explains must be a read as well. */
async function assertExplainsRead(connection: DuckDBConnection, sql: string): Promise<void> {
  const tokens = readSqlTokens(sql, duckdbDialect).filter((token) => token.kind !== 'comment');
  const words = tokens.slice(0, 5).map((token) => tokenText(sql, token).toLowerCase());
  const skipped = words.join(' ') === 'explain ( format json )' ? 5 : words[1] === 'analyze' ? 2 : 1;
  const inner = sql.slice(tokens[skipped]?.start ?? sql.length);
  const extracted = await connection.extractStatements(inner);
  const statement = extracted.count === 1 ? await extracted.prepare(0) : undefined;
  if (statement?.statementType === StatementType.SELECT) return;
  throw new ConnectorError('not-a-read', 'Only a read may be explained here.');
}

/** Values are bound as text; the marker's cast gives them their type. */
function bind(statement: DuckDBPreparedStatement, index: number, { value }: BoundValue): void {
  if (index > statement.parameterCount) return;
  if (value === null) statement.bindNull(index);
  else if (typeof value === 'boolean') statement.bindBoolean(index, value);
  else statement.bindVarchar(index, value);
}
