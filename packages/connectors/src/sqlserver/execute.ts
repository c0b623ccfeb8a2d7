import { plural } from '@svc/contract/wording';
import { ConnectorError, movedBy } from '../error.ts';
import type { ExecuteOptions, ResultStream, Statement } from '../port.ts';
import { checkedStatement } from '../sql/read-only-gate.ts';
import { type Batch, batchOfRows, type Column } from '../values.ts';
import type { Answer } from './answer/answer.ts';
import type { TdsColumn } from './answer/columns.ts';
import { sqlserverType } from './answer/types.ts';
import { askPlan, planPrefix } from './plan.ts';
import { sqlserverRules } from './rules.ts';
import { openSession, type Session } from './session.ts';
import type { SqlserverConnection } from './settings.ts';

/** Runs one read, or returns its plan. Resolves when the columns are known. */
export async function executeSqlserver(
  connection: SqlserverConnection,
  statement: Statement,
  options: ExecuteOptions,
): Promise<ResultStream> {
  const isPlan = statement.sql.startsWith(planPrefix);
  const statementToCheck = isPlan ? { ...statement, sql: statement.sql.slice(planPrefix.length) } : statement;
  const toGiven = (error: ConnectorError): ConnectorError =>
    isPlan ? movedBy(error, statement.sql, planPrefix.length) : error;
  let sql: string;
  try {
    sql = checkedStatement(statementToCheck, sqlserverRules).sql;
  } catch (error) {
    throw error instanceof ConnectorError ? toGiven(error) : error;
  }
  const session = await openSession(connection, options);
  try {
    const answer = isPlan
      ? await askPlan(session, sql, statement.values ?? [], options)
      : session.ask(sql, statement.values ?? [], options);
    return await streamOf({ session, answer, sql, options });
  } catch (error) {
    const explained = session.explain(error, sql);
    void session.abandon();
    throw toGiven(explained);
  }
}

type Walk = {
  readonly session: Session;
  readonly answer: Answer;
  readonly sql: string;
  readonly options: ExecuteOptions;
};

async function streamOf(walk: Walk): Promise<ResultStream> {
  const columns = await walk.answer.columns;
  if (!columns) throw new ConnectorError('not-a-read', 'Only statements that give rows are allowed here.');
  return {
    columns: columns.map((column) => presentColumn(column, walk.options)),
    batches: readBatches(walk, columns.length),
    close: walk.session.abandon,
  };
}

function presentColumn({ name, type }: TdsColumn, { wantOrigins }: ExecuteOptions): Column {
  const columnType = sqlserverType(type);
  if (!columnType)
    throw new ConnectorError('connection-lost', 'The server sent what is no answer of SQL Server.');
  // SQL Server does not report the origins of columns.
  return {
    name,
    kind: columnType.kind,
    databaseType: columnType.name,
    ...(wantOrigins ? { origin: null } : {}),
  };
}

async function* readBatches(
  { session, answer, sql, options }: Walk,
  columnCount: number,
): AsyncGenerator<Batch, void, undefined> {
  let isWhole = false;
  let rowCount = 0;
  try {
    for (let rows = await answer.take(); rows; rows = await answer.take()) {
      rowCount += rows.length;
      if (rowCount > options.maxRows)
        throw new ConnectorError(
          'too-many-rows',
          `The result has more than ${plural(options.maxRows, 'row')}.`,
        );
      if (rows.length > 0) yield batchOfRows(rows, columnCount);
    }
    isWhole = true;
  } catch (error) {
    throw session.explain(error, sql);
  } finally {
    void (isWhole ? session.finish() : session.abandon());
  }
}
