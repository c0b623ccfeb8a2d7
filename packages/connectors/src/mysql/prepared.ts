import type { Connection } from 'mysql2';
import type { BoundValue } from '../bound-value.ts';
import { ConnectorError } from '../error.ts';
import type { Statement } from '../port.ts';
import type { RowQueue } from '../row-queue.ts';
import type { MysqlField } from './types.ts';

/** What the server says of a statement that it has prepared and not run. */
type Prepared = {
  readonly columns: readonly MysqlField[];
  readonly execute: (values: readonly unknown[]) => Command;
};

/** A running statement of the driver; each event comes with what is named. */
type Command = {
  readonly on: (
    event: 'fields' | 'result' | 'end' | 'error',
    listener: (argument: unknown) => void,
  ) => unknown;
};

/** These give rows although some servers name no columns before they run. */
const describesItself = /^[\s(]*(show|explain|describe|desc)\b/i;

/**
 * Prepares a statement and runs it only when the server says that it gives rows: what defines or changes things gives
 * none, and MariaDB runs a DROP even in a read-only transaction. Resolves with the columns; rows go to the queue.
 */
export function startPrepared(
  client: Connection,
  statement: Statement,
  queue: RowQueue,
): Promise<readonly MysqlField[]> {
  return new Promise((resolve, reject) => {
    client.prepare(statement.sql, (error, prepared) => {
      if (error) return reject(error);
      const { columns, execute } = bound(prepared);
      if (columns.length === 0 && !describesItself.test(statement.sql)) {
        return reject(new ConnectorError('not-a-read', 'Only statements that give rows are allowed here.'));
      }
      follow(execute((statement.values ?? []).map(wireValue)), queue, resolve, reject);
      return undefined;
    });
  });
}

/** The driver's own types leave out the columns and the events. */
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

/** Whole numbers travel as numbers, so that `LIMIT` takes them; others as text, so that they stay exact. */
function wireValue({ type, value }: BoundValue): string | number | boolean | null {
  if (value === null || typeof value === 'boolean') return value;
  if (type === 'Number') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return type === 'DateTime' ? value.replace('T', ' ').replace('Z', '') : value;
}
