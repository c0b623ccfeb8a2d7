import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../error.ts';
import type { ExecuteOptions, ResultStream, Statement } from '../port.ts';
import { createRowQueue, type RowQueue } from '../row-queue.ts';
import { checkedStatement } from '../sql/read-only-gate.ts';
import type { Batch, Cell, Column } from '../values.ts';
import { type MysqlLogins, openFitSession } from './login.ts';
import { startPrepared } from './prepared.ts';
import { reachableColumns } from './reachable-columns.ts';
import { mysqlRules } from './rules.ts';
import type { Session } from './session.ts';
import type { MysqlConnection } from './settings.ts';
import { type MysqlField, mysqlCellReader, mysqlType } from './types.ts';

/** Runs one read as a prepared statement, which accepts exactly one statement. Resolves when the columns are known. */
export const executeMysql =
  (logins: MysqlLogins) =>
  async (
    connection: MysqlConnection,
    uncheckedStatement: Statement,
    options: ExecuteOptions,
  ): Promise<ResultStream> => {
    const statement = checkedStatement(uncheckedStatement, mysqlRules);
    const session = await openFitSession(logins, connection, { ...options, limits: options });
    try {
      const queue = createRowQueue({
        pause: () => session.client.pause(),
        resume: () => session.client.resume(),
        receivedBytes: session.allBytes,
      });
      session.lost.catch((error) => queue.fail(error));
      const reachable = options.wantOrigins
        ? await Promise.race([reachableColumns(session.client, statement.sql), session.lost])
        : undefined;
      const fields = await Promise.race([startPrepared(session.client, statement, queue), session.lost]);
      const columns = fields.map((field): Column => {
        const { name, kind } = mysqlType(field);
        const origin = field.orgName === '' || field.orgTable === '' ? null : { column: field.orgName };
        if (!options.wantOrigins) return { name: field.name, kind, databaseType: name };
        return { name: field.name, kind, databaseType: name, origin, ...(reachable && { reachable }) };
      });
      return {
        columns,
        batches: readBatches({ session, queue, fields, statement, options }),
        close: session.abandon,
      };
    } catch (error) {
      const explained = session.explain(error, statement.sql);
      await session.abandon();
      throw explained;
    }
  };

type Walk = {
  readonly session: Session;
  readonly queue: RowQueue;
  readonly fields: readonly MysqlField[];
  readonly statement: Statement;
  readonly options: ExecuteOptions;
};

async function* readBatches({
  session,
  queue,
  fields,
  statement,
  options,
}: Walk): AsyncGenerator<Batch, void, undefined> {
  const readers = fields.map((field) => mysqlCellReader(field, options));
  let isWhole = false;
  let rowCount = 0;
  try {
    for (;;) {
      const rows = await queue.take();
      if (!rows) break;
      rowCount += rows.length;
      if (rowCount > options.maxRows) {
        throw new ConnectorError(
          'too-many-rows',
          `The result has more than ${plural(options.maxRows, 'row')}.`,
        );
      }
      yield {
        rowCount: rows.length,
        columns: readers.map((reader, c) => cellsOf(rows, c, reader, options.maxCellBytes)),
      };
    }
    isWhole = true;
  } catch (error) {
    throw session.explain(error, statement.sql);
  } finally {
    if (isWhole) void session.finish();
    else void session.abandon();
  }
}

function cellsOf(
  rows: readonly (readonly unknown[])[],
  column: number,
  reader: (value: unknown) => Cell,
  maxCellBytes: number,
): Cell[] {
  return rows.map((row) => {
    const cell = reader(row[column]);
    if (typeof cell === 'string' && cell.length > maxCellBytes) {
      throw new ConnectorError(
        'value-too-large',
        `A value of the result has more than ${plural(maxCellBytes, 'byte')}.`,
      );
    }
    return cell;
  });
}
