import type pg from 'pg';
import type { BoundValue } from '../bound-value.ts';
import { ConnectorError } from '../error.ts';
import type { ExecuteOptions, ResultStream, Statement } from '../port.ts';
import { assertOneRead } from '../sql/read-only-gate.ts';
import { type Batch, batchOfRows, type Cell, type Column, type ColumnOrigin } from '../values.ts';
import { exchange, type Part, prepareRead, readRows, runTexts } from './exchange.ts';
import type { KeptLinks } from './kept-links.ts';
import { askOrigins, describeOrigins, type OriginTable, tablesOf } from './origins.ts';
import { type PresumedTables, tookMaxMs } from './presumed-tables.ts';
import { postgresqlRules } from './rules.ts';
import {
  connectSession,
  resetParts,
  type Session,
  type SessionGuards,
  type SessionOptions,
} from './session.ts';
import type { PostgresqlConnection } from './settings.ts';
import type { SignedSettings } from './signed-settings.ts';
import { postgresqlCells, postgresqlType } from './types.ts';

/** The first read is small: nothing is known yet of how large the rows are. */
const firstReadRows = 16;
/** Where the whole result may not hold more than this, the first read need not be so small. */
const smallResultBytes = 64 * 1024 * 1024;
const firstReadRowsOfSmall = 100;
/** So many rows and one more are read at once where nobody takes more. */
const rowsAtOnceMax = 100;
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

export type ExecuteDeps = {
  readonly guards: SessionGuards;
  readonly kept: KeptLinks;
  readonly tables: PresumedTables;
  readonly signedSettings: SignedSettings;
};

/** Runs one read. Resolves when the first rows are there, so that most errors come before the stream. */
export async function executePostgresql(
  connection: PostgresqlConnection,
  statement: Statement,
  options: ExecuteOptions,
  deps: ExecuteDeps,
): Promise<ResultStream> {
  assertOneRead(statement.sql, postgresqlRules);
  const tables = options.wantOrigins ? deps.tables.of(connection, statement.sql) : [];
  if (isReadAtOnce(options) && tables) {
    const read = await readInOneTrip(connection, statement, tables, options, deps);
    if (read) return read;
  }
  const { session, fields } = await prepare(connection, statement, options, deps);
  try {
    const startedAt = performance.now();
    const parse = rowParser(fields);
    const { parts, originsOf, tables: found } = askOrigins(options.wantOrigins ? tablesOf(fields) : []);
    const isWhole = isReadAtOnce(options);
    const first = isWhole
      ? await readAndReset(session, parse, options.rowsWanted + 1, parts)
      : await read(session, parse, firstRows(options), parts);
    if (isWhole && options.wantOrigins)
      deps.tables.keep(connection, statement.sql, found(), performance.now() - startedAt);
    const columns = columnsOf(fields, options.wantOrigins ? originsOf(fields) : undefined);
    const batches = isWhole
      ? oneBatch(first.rows, columns, options)
      : readBatches({ session, parse, first, columns, statement, options });
    return { columns, batches, close: session.abandon };
  } catch (error) {
    const explained = session.explain(error, statement.sql);
    await session.abandon();
    throw explained;
  }
}

const columnsOf = (
  fields: readonly pg.FieldDef[],
  origins: readonly (ColumnOrigin | null)[] | undefined,
): Column[] =>
  fields.map((field, index) => {
    const { name, kind } = postgresqlType(field.dataTypeID);
    return {
      name: field.name,
      kind,
      databaseType: name,
      ...(origins ? { origin: origins[index] ?? null } : {}),
    };
  });

/** How far the server has got with an exchange that begins, describes, reads and resets. */
type Progress = { hasBegun: boolean; isSet: boolean; isPlanned: boolean; isNamed: boolean; isRead: boolean };

/**
 * Begins, plans, asks for the origins, reads a few rows and resets the session in one round trip, with the tables that
 * the statement is presumed to read from. The columns' names are those of the rows' own transaction, as always.
 *
 * @returns undefined when it is to be run the other way: it reads from other tables, and what was read is thrown away;
 * what was presumed of the server or the tables does not hold, and nothing was read; or a kept connection was dead
 * before the server began.
 */
async function readInOneTrip(
  connection: PostgresqlConnection,
  { sql, values = [] }: Statement,
  tables: readonly OriginTable[],
  options: ExecuteOptions & { readonly rowsWanted: number },
  deps: ExecuteDeps,
): Promise<ResultStream | undefined> {
  const progress: Progress = {
    hasBegun: false,
    isSet: false,
    isPlanned: false,
    isNamed: tables.length === 0,
    isRead: false,
  };
  const origins = describeOrigins(tables);
  const rows: Cell[][] = [];
  let fields: readonly pg.FieldDef[] = [];
  let parse: RowParser = () => [];
  const onPlanned: Part['onColumns'] = (described) => {
    fields = described;
    parse = rowParser(described);
  };
  // What cannot be written as a message is told before there is a session to be left.
  const planned: Part = {
    ...prepareRead(sql, values.map(wireValue), onPlanned),
    onEnd: () => (progress.isPlanned = true),
  };
  const session = await connectSession(connection, sessionOptions(options, deps));
  const startedAt = performance.now();
  const signed = session.beginSigned();
  const parts: readonly Part[] = [
    { ...runTexts(signed ?? session.begin()), onEnd: () => (progress.isSet = true) },
    planned,
    ...origins.parts.map((part) => ({ ...part, onEnd: () => (progress.isNamed = true) })),
    readRows(
      options.rowsWanted + 1,
      (cells) => rows.push(parse(cells)),
      () => (progress.isRead = true),
    ),
    ...resetParts,
  ];
  try {
    await exchange(session.client, parts, () => (progress.hasBegun = true));
    session.release();
  } catch (error) {
    const explained = session.explain(error, sql);
    const left = session.abandon();
    // A reset that fails fails no reading.
    if (!progress.isRead) {
      const wrong = whatWasWrong(explained, progress);
      if (wrong === 'connection' && session.isKept) return undefined;
      await left;
      if (wrong === 'settings' && signed) deps.signedSettings.refuse(connection);
      else if (wrong === 'tables') deps.tables.forget(connection, sql);
      else throw explained;
      return undefined;
    }
  }
  if (options.wantOrigins) {
    const tookMs = performance.now() - startedAt;
    if (!judge(deps.tables, { connection, sql, tables, named: origins.tables(), fields, tookMs }))
      return undefined;
  }
  const columns = columnsOf(fields, options.wantOrigins ? origins.originsOf(fields) : undefined);
  return { columns, batches: oneBatch(rows, columns, options), close: session.abandon };
}

type Judged = {
  readonly connection: PostgresqlConnection;
  readonly sql: string;
  readonly tables: readonly OriginTable[];
  readonly named: ReadonlySet<number>;
  readonly fields: readonly pg.FieldDef[];
  readonly tookMs: number;
};

/**
 * Forgets which tables were presumed where the server said otherwise of their names. False when a column comes from
 * a table whose columns were not told.
 */
function judge(
  presumed: PresumedTables,
  { connection, sql, tables, named, fields, tookMs }: Judged,
): boolean {
  if (tookMs > tookMaxMs || !tables.every(({ id }) => named.has(id))) presumed.forget(connection, sql);
  return tablesOf(fields).every((table) => named.has(table));
}

/** What of ours has failed, before anything was read; undefined: the statement itself, or its time is over. */
function whatWasWrong(
  { code }: ConnectorError,
  { hasBegun, isSet, isPlanned, isNamed }: Progress,
): 'connection' | 'settings' | 'tables' | undefined {
  if (code === 'connection-lost' && !hasBegun) return 'connection';
  if (code !== 'statement-failed' && code !== 'permission-denied') return undefined;
  if (hasBegun && !isSet) return 'settings';
  return isPlanned && !isNamed ? 'tables' : undefined;
}

type Prepared = { readonly session: Session; readonly fields: readonly pg.FieldDef[] };

/**
 * Begins the transaction and has the statement planned and described in one round trip; none of it is run yet. A kept
 * connection that turns out to be dead is replaced.
 */
async function prepare(
  connection: PostgresqlConnection,
  statement: Statement,
  options: ExecuteOptions,
  deps: ExecuteDeps,
): Promise<Prepared> {
  for (;;) {
    const session = await connectSession(connection, sessionOptions(options, deps));
    try {
      const fields = await exchange(session.client, [
        runTexts(session.begin()),
        prepareRead(statement.sql, (statement.values ?? []).map(wireValue)),
      ]);
      return { session, fields };
    } catch (error) {
      const explained = session.explain(error, statement.sql);
      const left = session.abandon();
      if (session.isKept && explained.code === 'connection-lost') continue;
      await left;
      throw explained;
    }
  }
}

/** Settings are given at sign-in for those who read at once: to them alone they are worth being read back. */
const sessionOptions = (options: ExecuteOptions, deps: ExecuteDeps): SessionOptions => ({
  ...options,
  limits: options,
  guards: deps.guards,
  kept: deps.kept,
  ...(isReadAtOnce(options) && { signedSettings: deps.signedSettings }),
});

const wireValue = ({ value }: BoundValue): string | null => (value === null ? null : String(value));

/** A few rows are read, and the session is reset, in the same round trip: nothing is left to do after them. */
const isReadAtOnce = (options: ExecuteOptions): options is ExecuteOptions & { rowsWanted: number } =>
  options.rowsWanted !== undefined &&
  options.rowsWanted <= Math.min(rowsAtOnceMax, options.maxRows) &&
  options.maxBytes <= smallResultBytes;

const firstRows = ({ maxRows, maxBytes }: ExecuteOptions): number =>
  Math.min(maxBytes <= smallResultBytes ? firstReadRowsOfSmall : firstReadRows, maxRows + 1);

type RowParser = (cells: readonly (string | null)[]) => Cell[];

function rowParser(fields: readonly pg.FieldDef[]): RowParser {
  const parsers = fields.map(
    ({ dataTypeID }) => postgresqlCells.getTypeParser(dataTypeID, 'text') as (text: string) => Cell,
  );
  return (cells) => cells.map((text, index) => (text === null ? null : (parsers[index]?.(text) ?? null)));
}

async function read(
  { client }: Session,
  parse: RowParser,
  rowCount: number,
  before: Parameters<typeof exchange>[1] = [],
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

/** Reads at most so many rows and resets the session in the same round trip. A reset that fails fails no reading. */
async function readAndReset(
  session: Session,
  parse: RowParser,
  rowCount: number,
  before: Parameters<typeof exchange>[1],
): Promise<Read> {
  const rows: Cell[][] = [];
  let isRead = false;
  const part = readRows(
    rowCount,
    (cells) => rows.push(parse(cells)),
    () => {
      isRead = true;
    },
  );
  try {
    await exchange(session.client, [...before, part, ...resetParts]);
    session.release();
  } catch (error) {
    if (!isRead) throw error;
    void session.abandon();
  }
  return { rows, isLast: true };
}

/** Rows of a statement that has ended. */
function oneBatch(
  rows: readonly Cell[][],
  columns: readonly Column[],
  { maxCellBytes }: ExecuteOptions,
): AsyncIterable<Batch> {
  let isTaken = rows.length === 0;
  const iterator: AsyncIterableIterator<Batch, undefined> = {
    [Symbol.asyncIterator]: () => iterator,
    next: async () => {
      if (isTaken) return { done: true, value: undefined };
      isTaken = true;
      assertCellSizes(rows, maxCellBytes);
      return { done: false, value: batchOfRows(rows, columns.length) };
    },
    return: async () => {
      isTaken = true;
      return { done: true, value: undefined };
    },
  };
  return iterator;
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
