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

/** The first read is small: nothing is known yet of how large the rows are. */
const firstReadRows = 16;
/** Where the whole result may not hold more than this, the first read need not be so small. */
export const smallResultBytes = 64 * 1024 * 1024;
const firstReadRowsOfSmall = 100;
const readRowsMax = 1_000;
/**
 * Reads grow or shrink towards this, so that a batch is neither a burden on memory nor on the event loop: the rows that
 * are alive at a collection make young memory grow. Four times as much took 60 MB more, for no less processor time.
 */
const readBytesWanted = 64 * 1024;
/** Whoever stops early does not wait for the rows that are on their way; after so long the statement is cancelled. */
const lastReadTimeoutMs = 250;

/** Rows of one read, and whether the statement has ended with them. */
type Read = { readonly rows: Cell[][]; readonly isLast: boolean };

/**
 * Reads batch by batch, a small one first. Resolves when the first rows are there, so that most errors come before the
 * stream.
 */
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

/** Reads ahead by one batch, so that the server works while the caller does. */
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
      const asked = nextReadRows(session.rowBytes() / Math.max(1, rowCount), options.maxRows - rowCount);
      ahead = isLast ? undefined : read(session, parse, asked);
      // The failure is taken up by the await below; a caller that stops in between must not meet it unhandled.
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

/** The rows of a read that is on its way are waited for, though not long: else the statement is cancelled. */
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
  const wanted = Math.floor(readBytesWanted / Math.max(1, bytesPerRow));
  return Math.max(1, Math.min(wanted, readRowsMax, rowsLeft + 1));
}

function tooManyRows(maxRows: number): ConnectorError {
  return new ConnectorError('too-many-rows', `The result has more than ${maxRows} rows.`);
}
