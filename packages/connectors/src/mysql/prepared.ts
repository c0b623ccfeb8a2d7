import type { Connection } from 'mysql2';
import { ConnectorError } from '../error.ts';
import type { Statement } from '../port.ts';
import type { RowQueue } from '../row-queue.ts';
import { loadTypedParameter } from './session.ts';
import type { MysqlField } from './types.ts';
import { wireValue } from './wire-value.ts';

/** Description of a prepared statement that has not run. */
type Prepared = {
  readonly columns: readonly MysqlField[];
  readonly execute: (values: readonly unknown[]) => Command;
};

/** Running statement of the driver. The comments name the argument of each event. */
type Command = {
  readonly on: (
    event: 'fields' | 'result' | 'end' | 'error',
    listener: (argument: unknown) => void,
  ) => unknown;
};

/** These statements return rows although some servers report no columns before they run. */
const describesItself = /^[\s(]*(show|explain|describe|desc)\b/i;

/**
 * Prepares a statement and runs it only if the server reports that it returns rows. Statements that define or change
 * objects return none, and MariaDB runs a DROP even in a read-only transaction. Resolves with the columns; rows go to
 * the queue.
 */
export async function startPrepared(
  client: Connection,
  statement: Statement,
  queue: RowQueue,
): Promise<readonly MysqlField[]> {
  const typed = await loadTypedParameter();
  const values = (statement.values ?? []).map((value) => wireValue(value, typed));
  return new Promise((resolve, reject) => {
    client.prepare(statement.sql, (error, prepared) => {
      if (error) return reject(error);
      const { columns, execute } = bound(prepared);
      if (columns.length === 0 && !describesItself.test(statement.sql)) {
        return reject(new ConnectorError('not-a-read', 'Only statements that give rows are allowed here.'));
      }
      follow(execute(values), queue, resolve, reject);
      return undefined;
    });
  });
}

/** Casts: the driver's own types lack the columns and the events. */
function bound(prepared: unknown): Prepared {
  const info = prepared as Prepared;
  return { columns: info.columns ?? [], execute: (values) => info.execute(values) };
}

function follow(
  command: Command,
  queue: RowQueue,
  resolve: (fields: readonly MysqlField[]) => void,
  reject: (error: unknown) => void,
): void {
  let isStarted = false;
  command.on('fields', (fields) => {
    isStarted = true;
    resolve(Array.isArray(fields) ? fields : []);
  });
  command.on('result', (row) => {
    if (Array.isArray(row)) queue.push(row);
  });
  command.on('end', () => {
    queue.end();
    if (!isStarted) resolve([]);
  });
  command.on('error', (failure) => {
    queue.fail(failure);
    reject(failure);
  });
}
