import { exchange, type Part, readRows } from '@svc/pg-wire';
import { withSources } from '../../lineage/sources.ts';
import type { ResultStream, Statement } from '../../port.ts';
import type { Cell } from '../../values.ts';
import { resetParts, type Session } from '../connection/session.ts';
import type { CheckedRead } from '../gate/checked-read.ts';
import { askLineage, lineageOf } from '../lineage/lineage.ts';
import type { PostgresqlConnection } from '../settings.ts';
import { askOrigins, tablesOf } from './origins.ts';
import { type AtOnceOptions, type ExecuteDeps, prepare, sessionWithStartupOptions } from './prepare.ts';
import { columnsOf, oneBatch, type RowParser, rowParser } from './result.ts';
import { readInOneExchange } from './speculative-read.ts';
import { askTypeNames } from './type-names.ts';

/**
 * Reads the requested few rows and resets the session in the same round trip. If the tables of the statement can be
 * speculated on, everything runs in one exchange.
 */
export async function readAtOnce(
  connection: PostgresqlConnection,
  statement: Statement,
  options: AtOnceOptions,
  deps: ExecuteDeps,
  checked: CheckedRead,
): Promise<ResultStream> {
  const result = await readSpeculatively(connection, statement, options, deps, checked);
  return result ?? readInTwoExchanges(connection, statement, options, deps, checked);
}

async function readSpeculatively(
  connection: PostgresqlConnection,
  statement: Statement,
  options: AtOnceOptions,
  deps: ExecuteDeps,
  checked: CheckedRead,
): Promise<ResultStream | undefined> {
  if (!options.wantOrigins) return readInOneExchange(connection, statement, [], undefined, options, deps);
  const tables = deps.tables.of(connection, statement.sql);
  const catalogue = deps.catalogues.of(connection, checked);
  if (!tables || !catalogue) return undefined;
  const result = await readInOneExchange(connection, statement, tables, catalogue, options, deps);
  return result && { ...result, columns: withSources(result.columns, lineageOf(checked, catalogue)) };
}

async function readInTwoExchanges(
  connection: PostgresqlConnection,
  statement: Statement,
  options: AtOnceOptions,
  deps: ExecuteDeps,
  checked: CheckedRead,
): Promise<ResultStream> {
  const { session, fields } = await prepare(connection, statement, sessionWithStartupOptions(options, deps));
  try {
    const startedAt = performance.now();
    const { parts, originsOf, tables } = askOrigins(options.wantOrigins ? tablesOf(fields) : []);
    const lineage = options.wantOrigins ? askLineage(checked) : undefined;
    const types = askTypeNames(fields);
    const before = [...parts, ...(lineage?.parts ?? []), ...types.parts];
    const rows = await readAndReset(session, rowParser(fields, options), options.rowsWanted + 1, before);
    if (lineage) {
      deps.tables.keep(connection, statement.sql, tables(), performance.now() - startedAt);
      deps.catalogues.store(connection, checked, await lineage.catalogue());
    }
    deps.typeNames.store(connection, types.names);
    const described = columnsOf(fields, options.wantOrigins ? originsOf(fields) : undefined, types.names);
    const columns = withSources(described, await lineage?.sources());
    return { columns, batches: oneBatch(rows, columns, options), close: session.abandon };
  } catch (error) {
    const explained = session.explain(error, statement.sql);
    await session.abandon();
    throw explained;
  }
}

/** Reads at most `rowCount` rows and resets the session in the same round trip. A failed reset does not fail the read. */
async function readAndReset(
  session: Session,
  parse: RowParser,
  rowCount: number,
  before: readonly Part[],
): Promise<Cell[][]> {
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
  return rows;
}
