import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { BoundValue } from '../bound-value.ts';
import type { Channel } from '../embedded/entry.ts';
import type { Job } from '../embedded/messages.ts';
import { type RowSource, sendRows } from '../embedded/send-rows.ts';
import { ConnectorError } from '../error.ts';
import { batchOfRows, type Cell, type Column } from '../values.ts';
import { createAuthorizer, type Denial } from './authorizer.ts';
import { openReadOnly } from './database.ts';
import { readSqliteTables } from './metadata.ts';
import { readsOf } from './reads.ts';
import { sqliteCell, sqliteColumn } from './types.ts';

const batchRowsMax = 2_000;
const batchBytesWanted = 512 * 1024;
/** The engine's limit on one value, as a multiple of the limit on a result's value. */
const engineValueFactor = 4;

/** Serves the SQLite jobs of a child process. */
export async function serveSqlite(job: Job, channel: Channel): Promise<void> {
  if (job.type === 'sqlite-metadata') {
    const { database, assertUnchanged } = openReadOnly(job.path, 64 * 1024 * 1024);
    try {
      const value = readSqliteTables(database, job.limits);
      assertUnchanged();
      channel.send({ type: 'value', value });
    } catch (error) {
      throw sqliteFailure(error, undefined, true);
    } finally {
      database.close();
    }
    return;
  }
  if (job.type !== 'sqlite') throw new ConnectorError('engine-unavailable', `SQLite cannot do ${job.type}.`);
  const valueBytesMax = job.limits.maxCellBytes * engineValueFactor;
  const { database, assertUnchanged } = openReadOnly(job.path, valueBytesMax);
  try {
    await sendRows(startStatement(database, job), channel, job.limits);
    assertUnchanged();
  } catch (error) {
    assertUnchanged();
    throw error;
  } finally {
    if (database.isOpen) database.close();
  }
}

function startStatement(
  database: DatabaseSync,
  { sql, values, wantReads }: Extract<Job, { type: 'sqlite' }>,
): RowSource {
  const authorizer = createAuthorizer();
  const { authorize, denial } = authorizer;
  database.setAuthorizer(authorize);
  const explain = (error: unknown) => sqliteFailure(error, denial(), isPrepared);
  let isPrepared = false;
  try {
    const statement = database.prepare(sql);
    isPrepared = true;
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    const reads = wantReads ? readsOf(database, authorizer) : undefined;
    const rows = statement.iterate(...values.map(wireValue)) as unknown as Iterator<unknown[]>;
    const source = createSource(statement, rows, explain, () => database.close());
    return { ...source, ...(reads && { reads }) };
  } catch (error) {
    throw explain(error);
  }
}

/** Reads the first rows ahead: SQLite's columns have no fixed types, only their values have. */
function createSource(
  statement: StatementSync,
  iterator: Iterator<unknown[]>,
  explain: (error: unknown) => ConnectorError,
  close: () => void,
): RowSource {
  const read = (): Cell[][] => {
    try {
      return readRows(iterator);
    } catch (error) {
      throw explain(error);
    }
  };
  const described = statement.columns();
  let ahead: Cell[][] | undefined = read();
  const columns: Column[] = described.map((column, index) => sqliteColumn(column, ahead ?? [], index));
  return {
    columns,
    close,
    next: () => {
      const rows = ahead ?? read();
      ahead = undefined;
      return rows.length === 0 ? undefined : batchOfRows(rows, columns.length);
    },
  };
}

function readRows(iterator: Iterator<unknown[]>): Cell[][] {
  const rows: Cell[][] = [];
  let bytes = 0;
  while (rows.length < batchRowsMax && bytes < batchBytesWanted) {
    const step = iterator.next();
    if (step.done) break;
    const row = step.value.map(sqliteCell);
    for (const cell of row) bytes += typeof cell === 'string' ? cell.length : 8;
    rows.push(row);
  }
  return rows;
}

/** Converts a value. Times have the form that SQLite's own date functions write. */
function wireValue({ type, value }: BoundValue): SQLInputValue {
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (type === 'DateTime') return value.replace('T', ' ').replace(/(\.000)?Z$/, '');
  if (type !== 'Number') return value;
  if (!/^-?\d{1,19}$/.test(value)) return Number(value);
  const integer = BigInt(value);
  return integer === BigInt.asIntN(64, integer) ? integer : Number(value);
}

function sqliteFailure(error: unknown, denial: Denial | undefined, isPrepared: boolean): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const engineCode = error instanceof Error && 'errcode' in error ? String(error.errcode) : undefined;
  const details = engineCode === undefined ? {} : { engineCode };
  if (denial?.what === 'function') {
    return new ConnectorError(
      'function-refused',
      `The function ${denial.name} is not available here.`,
      details,
    );
  }
  if (denial)
    return new ConnectorError('not-a-read', `Only reads are allowed here, not ${denial.name}.`, details);
  if (message.includes('out of memory')) {
    return new ConnectorError('out-of-memory', 'The statement needs more memory than it is given.', details);
  }
  if (message.includes('too big')) {
    return new ConnectorError('value-too-large', 'A value grew larger than is allowed.', details);
  }
  if (message.includes('unable to open database file')) {
    const what =
      'The database has changes in a write-ahead log that only its own application can apply. Open and close the file with that application.';
    return new ConnectorError('file-unreadable', what, { ...details, origin: 'Service' });
  }
  // SQLite reads no row while it prepares a statement.
  const origin = isPrepared ? 'Execution' : 'StatementText';
  const code = /readonly|query_only/.test(message) ? 'read-only' : 'statement-failed';
  return new ConnectorError(code, message, { ...details, origin });
}
