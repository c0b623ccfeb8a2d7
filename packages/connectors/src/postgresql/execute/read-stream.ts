import { plural } from '@svc/contract/wording';
import { exchange, type Part, readRows } from '@svc/pg-wire';
import { ConnectorError } from '../../error.ts';
import { withSources } from '../../lineage/sources.ts';
import type { ExecuteOptions, ResultStream, Statement } from '../../port.ts';
import { type Batch, batchOfRows, type Cell, type Column } from '../../values.ts';
import type { Session } from '../connection/session.ts';
import type { CheckedRead } from '../gate/checked-read.ts';
import { askLineage } from '../lineage/lineage.ts';
import type { PostgresqlConnection } from '../settings.ts';
import { askOrigins, tablesOf } from './origins.ts';
import { type ExecuteDeps, prepare, sessionOptions } from './prepare.ts';
import { assertCellSizes, columnsOf, type RowParser, rowParser } from './result.ts';
import { askTypeNames } from './type-names.ts';

/** Rows of the first read. It is small, because the size of the rows is still unknown. */
const firstReadRows = 16;
/** Results whose byte limit is at most this get a larger first read. */
export const smallResultBytes = 64 * 1024 * 1024;
const firstReadRowsOfSmall = 100;
const readRowsMax = 1_000;
/**
 * Target size of a read. It bounds the load of a batch on memory and on the event loop: rows that survive a garbage
 * collection make young memory grow. Four times as much took 60 MB more and saved no processor time.
 */
const readBytesWanted = 64 * 1024;
/** Longest wait for pending rows after an early stop. The statement is then cancelled. The caller does not wait. */
const lastReadTimeoutMs = 250;

/** Rows of one read, and a flag for the end of the statement. */
type Read = { readonly rows: Cell[][]; readonly isLast: boolean };

/** Reads in batches, a small one first. Resolves with the first rows, so that most errors precede the stream. */
export async function readStream(
  connection: PostgresqlConnection,
  statement: Statement,
  options: ExecuteOptions,
  deps: ExecuteDeps,
  checked: CheckedRead,
): Promise<ResultStream> {
  const { session, fields } = await prepare(connection, statement, sessionOptions(options, deps));
  try {
    const parse = rowParser(fields, options);
    const { parts, originsOf } = askOrigins(options.wantOrigins ? tablesOf(fields) : []);
    const lineage = options.wantOrigins ? askLineage(checked) : undefined;
    const types = askTypeNames(fields);
    const first = await read(session, parse, firstRows(options), [
      ...parts,
      ...(lineage?.parts ?? []),
      ...types.parts,
    ]);
    const described = columnsOf(fields, options.wantOrigins ? originsOf(fields) : undefined, types.names);
    const columns = withSources(described, await lineage?.sources());
    const batches = readBatches({ session, parse, first, columns, statement, options });
    return { columns, batches, close: session.abandon };
  } catch (error) {
    const explained = session.explain(error, statement.sql);
    await session.abandon();
    throw explained;
  }
}

const firstRows = ({ maxRows, maxBytes }: ExecuteOptions): number =>
  Math.min(maxBytes <= smallResultBytes ? firstReadRowsOfSmall : firstReadRows, maxRows + 1);

async function read(
  { client }: Session,
  parse: RowParser,
  rowCount: number,
  before: readonly Part[] = [],
): Promise<Read> {
  const rows: Cell[][] = [];
  let isLast = false;
  const part = readRows(
    rowCount,
    (cells) => rows.push(parse(cells)),
    (isSuspended) => {
      isLast = !isSuspended;
    },
  );
  await exchange(client, [...before, part]);
  return { rows, isLast };
}

type Walk = {
  readonly session: Session;
  readonly parse: RowParser;
  readonly first: Read;
  readonly columns: readonly Column[];
  readonly statement: Statement;
  readonly options: ExecuteOptions;
};

/** Reads one batch ahead, so that the server and the caller work at the same time. */
async function* readBatches(walk: Walk): AsyncGenerator<Batch, void, undefined> {
  const { session, parse, columns, options } = walk;
  let isFailed = false;
  let ahead: Promise<Read> | undefined;
  try {
    let { rows, isLast } = walk.first;
    let rowCount = 0;
    for (;;) {
      rowCount += rows.length;
      if (rowCount > options.maxRows) throw tooManyRows(options.maxRows);
      const nextRows = nextReadRows(session.rowBytes() / Math.max(1, rowCount), options.maxRows - rowCount);
      ahead = isLast ? undefined : read(session, parse, nextRows);
      // The await below reports the failure. If the caller stops before it, the rejection must not be unhandled.
      ahead?.catch(() => undefined);
      assertCellSizes(rows, options.maxCellBytes);
      if (rows.length > 0) yield batchOfRows(rows, columns.length);
      if (!ahead) break;
      ({ rows, isLast } = await ahead);
    }
  } catch (error) {
    isFailed = true;
    throw session.explain(error, walk.statement.sql);
  } finally {
    if (options.signal.aborted) await session.abandon();
    else if (isFailed) void session.abandon();
    else void leave(session, ahead);
  }
}

/** Waits for a pending read, but only briefly: after `lastReadTimeoutMs` the statement is cancelled. */
async function leave(session: Session, ahead: Promise<Read> | undefined): Promise<void> {
  const timer = ahead && setTimeout(() => void session.abandon(), lastReadTimeoutMs);
  try {
    await ahead;
    await session.finish();
  } catch {
    await session.abandon();
  } finally {
    clearTimeout(timer);
  }
}

function nextReadRows(bytesPerRow: number, rowsLeft: number): number {
  const rowsThatFit = Math.floor(readBytesWanted / Math.max(1, bytesPerRow));
  return Math.max(1, Math.min(rowsThatFit, readRowsMax, rowsLeft + 1));
}

function tooManyRows(maxRows: number): ConnectorError {
  return new ConnectorError('too-many-rows', `The result has more than ${plural(maxRows, 'row')}.`);
}
