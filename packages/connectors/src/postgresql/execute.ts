import type pg from 'pg';
import type Cursor from 'pg-cursor';
import type { BoundValue } from '../bound-value.ts';
import { ConnectorError } from '../error.ts';
import type { ExecuteOptions, ResultStream, Statement } from '../port.ts';
import { assertOneRead } from '../sql/read-only-gate.ts';
import { type Batch, batchOfRows, type Cell, type Column } from '../values.ts';
import type { DatabaseIdentity } from './identity.ts';
import { readOrigins } from './origins.ts';
import { postgresqlRules } from './rules.ts';
import { openSession, type Session } from './session.ts';
import type { PostgresqlConnection } from './settings.ts';
import { postgresqlCells, postgresqlType } from './types.ts';

/** The first read is small: nothing is known yet of how large the rows are. */
const firstReadRows = 16;
const readRowsMax = 1_000;
/** Reads grow or shrink towards this, so that a batch is neither a burden on memory nor on the event loop. */
const readBytesWanted = 256 * 1024;

type Read = { readonly rows: Cell[][]; readonly fields: readonly pg.FieldDef[] };

/** Runs one read. Resolves when the first rows are there, so that most errors come before the stream. */
export async function executePostgresql(
  connection: PostgresqlConnection,
  statement: Statement,
  options: ExecuteOptions,
  ownDatabases: readonly DatabaseIdentity[],
): Promise<ResultStream> {
  assertOneRead(statement.sql, postgresqlRules);
  const { default: CursorClass } = await import('pg-cursor');
  const session = await openSession(connection, { ...options, limits: options, ownDatabases });
  try {
    const origins = options.wantOrigins ? await readOrigins(session.client, statement.sql) : undefined;
    const cursor = session.client.query(
      new CursorClass<Cell[]>(statement.sql, (statement.values ?? []).map(wireValue), {
        rowMode: 'array',
        types: postgresqlCells,
      }),
    );
    const first = await read(cursor, Math.min(firstReadRows, options.maxRows + 1));
    const columns = first.fields.map((field, index): Column => {
      const { name, kind } = postgresqlType(field.dataTypeID);
      return {
        name: field.name,
        kind,
        databaseType: name,
        ...(origins ? { origin: origins[index] ?? null } : {}),
      };
    });
    const batches = readBatches({ session, cursor, first, columns, statement, options });
    return { columns, batches, close: session.abandon };
  } catch (error) {
    const explained = session.explain(error, statement.sql);
    await session.abandon();
    throw explained;
  }
}

const wireValue = ({ value }: BoundValue): string | null => (value === null ? null : String(value));

function read(cursor: Cursor<Cell[]>, rowCount: number): Promise<Read> {
  return new Promise((resolve, reject) => {
    cursor.read(rowCount, (error, rows, result) => {
      if (error) reject(error);
      else resolve({ rows, fields: result?.fields ?? [] });
    });
  });
}

type Walk = {
  readonly session: Session;
  readonly cursor: Cursor<Cell[]>;
  readonly first: Read;
  readonly columns: readonly Column[];
  readonly statement: Statement;
  readonly options: ExecuteOptions;
};

/** Reads ahead by one batch, so that the server works while the caller does. */
async function* readBatches(walk: Walk): AsyncGenerator<Batch, void, undefined> {
  const { session, cursor, columns, options } = walk;
  let isWhole = false;
  try {
    let rows = walk.first.rows;
    let asked = Math.min(firstReadRows, options.maxRows + 1);
    let rowCount = 0;
    for (;;) {
      rowCount += rows.length;
      const isLast = rows.length < asked;
      if (rowCount > options.maxRows) throw tooManyRows(options.maxRows);
      asked = nextReadRows(session.rowBytes() / Math.max(1, rowCount), options.maxRows - rowCount);
      const next = isLast ? undefined : read(cursor, asked);
      // The failure is taken up by the await below; a caller that stops in between must not meet it unhandled.
      next?.catch(() => undefined);
      assertCellSizes(rows, options.maxCellBytes);
      if (rows.length > 0) yield batchOfRows(rows, columns.length);
      if (!next) break;
      rows = (await next).rows;
    }
    isWhole = true;
  } catch (error) {
    throw session.explain(error, walk.statement.sql);
  } finally {
    if (isWhole) void session.finish();
    else if (options.signal.aborted) await session.abandon();
    else void session.abandon();
  }
}

function nextReadRows(bytesPerRow: number, rowsLeft: number): number {
  const wanted = Math.floor(readBytesWanted / Math.max(1, bytesPerRow));
  return Math.max(1, Math.min(wanted, readRowsMax, rowsLeft + 1));
}

function tooManyRows(maxRows: number): ConnectorError {
  return new ConnectorError('too-many-rows', `The result has more than ${maxRows} rows.`);
}

/** Counts UTF-16 units, which are never more than the bytes: exact enough for a cap, and cheap. */
function assertCellSizes(rows: readonly (readonly Cell[])[], maxCellBytes: number): void {
  for (const row of rows) {
    for (const cell of row) {
      if (typeof cell === 'string' && cell.length > maxCellBytes) {
        throw new ConnectorError(
          'value-too-large',
          `A value of the result has more than ${maxCellBytes} bytes.`,
        );
      }
    }
  }
}
