import { exchange, type Part, prepareRead, readRows, runTexts } from '@svc/pg-wire';
import type pg from 'pg';
import type { ConnectorError } from '../../error.ts';
import type { ResultStream, Statement } from '../../port.ts';
import type { Cell, Column } from '../../values.ts';
import { connectSession, resetParts } from '../connection/session.ts';
import type { ReadCatalogue } from '../lineage/catalogue.ts';
import type { PostgresqlConnection } from '../settings.ts';
import { describeOrigins, type OriginTable, tablesOf } from './origins.ts';
import { type AtOnceOptions, type ExecuteDeps, sessionWithStartupOptions, wireValue } from './prepare.ts';
import { columnsOf, oneBatch, type RowParser, rowParser } from './result.ts';
import { tookMaxMs } from './speculated-tables.ts';

/** Progress of the server with an exchange that begins, describes, reads and resets. */
type Progress = { hasBegun: boolean; isSet: boolean; isPlanned: boolean; isNamed: boolean; isRead: boolean };

/**
 * Reads a few rows in one round trip, which also begins, plans, requests the origins and resets the session. It
 * speculates on the tables that the statement reads from. The column names come from the transaction of the rows, as
 * in every read.
 *
 * @returns undefined if the read must be repeated in two exchanges, for one of these reasons:
 * - The statement reads from other tables. The read rows are discarded.
 * - A speculation on the server or the tables failed before any row was read.
 * - A type has no cached name.
 * - The pooled connection was dead before the server began.
 */
export async function readInOneExchange(
  connection: PostgresqlConnection,
  { sql, values = [] }: Statement,
  tables: readonly OriginTable[],
  catalogue: ReadCatalogue | undefined,
  options: AtOnceOptions,
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
    parse = rowParser(described, options);
  };
  // Values that cannot be encoded must fail before a session is opened.
  const planned: Part = {
    ...prepareRead(sql, values.map(wireValue), onPlanned),
    onEnd: () => (progress.isPlanned = true),
  };
  const session = await connectSession(connection, sessionWithStartupOptions(options, deps));
  const startedAt = performance.now();
  const shortBegin = session.beginWithStartupOptions();
  const parts: readonly Part[] = [
    { ...runTexts(shortBegin ?? session.begin()), onEnd: () => (progress.isSet = true) },
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
    const failure = session.explain(error, sql);
    const abandoned = session.abandon();
    // A failed reset does not fail the read.
    if (!progress.isRead) {
      const wrong = whatWasWrong(failure, progress, session.isReused, shortBegin !== undefined);
      if (wrong === 'connection') return undefined;
      await abandoned;
      if (wrong === undefined) throw failure;
      if (wrong === 'settings') deps.startupOptions.refuse(connection);
      else deps.tables.forget(connection, sql);
      return undefined;
    }
  }
  const tookMs = performance.now() - startedAt;
  const columns = columnsRead({ connection, sql, tables, catalogue, options, deps, origins, fields, tookMs });
  return columns && { columns, batches: oneBatch(rows, columns, options), close: session.abandon };
}

type ReadColumns = {
  readonly connection: PostgresqlConnection;
  readonly sql: string;
  readonly tables: readonly OriginTable[];
  readonly catalogue: ReadCatalogue | undefined;
  readonly options: AtOnceOptions;
  readonly deps: ExecuteDeps;
  readonly origins: ReturnType<typeof describeOrigins>;
  readonly fields: readonly pg.FieldDef[];
  readonly tookMs: number;
};

/** Returns the columns of the read rows; undefined if their origins or types were not part of the exchange. */
function columnsRead(read: ReadColumns): Column[] | undefined {
  const { connection, sql, tables, catalogue, options, deps, origins, fields, tookMs } = read;
  if (options.wantOrigins) {
    const tableIds = origins.tables();
    if (!isWorthRepeating(tables, tableIds, tookMs)) deps.tables.forget(connection, sql);
    if (!areOriginsTold(fields, tableIds, catalogue)) return undefined;
  }
  const typeNames = deps.typeNames.of(connection, fields);
  if (!typeNames) return undefined;
  return columnsOf(fields, options.wantOrigins ? origins.originsOf(fields) : undefined, typeNames);
}

/**
 * Returns true if the same tables should be speculated on again: every name still refers to its table, and the read
 * was fast.
 */
const isWorthRepeating = (
  tables: readonly OriginTable[],
  tableIds: ReadonlySet<number>,
  tookMs: number,
): boolean => tookMs <= tookMaxMs && tables.every(({ id }) => tableIds.has(id));

/**
 * Returns true if the server has described every table from which a result column comes, and the catalogue contains
 * it. Otherwise a name refers to another relation than when the catalogue was read.
 */
const areOriginsTold = (
  fields: readonly pg.FieldDef[],
  tableIds: ReadonlySet<number>,
  catalogue: ReadCatalogue | undefined,
): boolean => tablesOf(fields).every((table) => tableIds.has(table) && catalogue?.ids.has(table) === true);

/**
 * Returns the part of the speculation that failed before any row was read. Undefined: the statement itself failed, or
 * its time is over.
 */
function whatWasWrong(
  { code }: ConnectorError,
  { hasBegun, isSet, isPlanned, isNamed }: Progress,
  isReused: boolean,
  hasShortBegin: boolean,
): 'connection' | 'settings' | 'tables' | undefined {
  if (code === 'connection-lost' && !hasBegun && isReused) return 'connection';
  if (code !== 'statement-failed' && code !== 'permission-denied') return undefined;
  if (hasBegun && !isSet) return hasShortBegin ? 'settings' : undefined;
  return isPlanned && !isNamed ? 'tables' : undefined;
}
