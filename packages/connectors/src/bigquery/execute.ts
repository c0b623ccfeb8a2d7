import { plural } from '@svc/contract/wording';
import { ConnectorError, movedBy } from '../error.ts';
import type { ExecuteOptions, ResultStream, Statement } from '../port.ts';
import { checkedStatement } from '../sql/read-only-gate.ts';
import { type Batch, batchOfRows, type Column } from '../values.ts';
import { readRow } from './answer/rows.ts';
import { type BigQueryField, bigqueryKind, typeText } from './answer/schema.ts';
import type { Account } from './api.ts';
import { unreadableAnswer } from './errors.ts';
import { type CompletePage, openSession, type Session } from './session.ts';
import { checkByDryRun } from './statement/dry-run.ts';
import { planOf, planPrefix } from './statement/plan.ts';
import { bigqueryRules } from './statement/rules.ts';

/** Runs one read, or returns its scan estimate. Resolves when the columns are known. */
export async function executeBigQuery(
  account: Account,
  statement: Statement,
  options: ExecuteOptions,
): Promise<ResultStream> {
  const isPlan = statement.sql.startsWith(planPrefix);
  const statementToCheck = isPlan ? { ...statement, sql: statement.sql.slice(planPrefix.length) } : statement;
  const toGiven = (error: unknown): unknown =>
    isPlan && error instanceof ConnectorError ? movedBy(error, statement.sql, planPrefix.length) : error;
  let checked: Statement;
  try {
    checked = checkedStatement(statementToCheck, bigqueryRules);
  } catch (error) {
    throw toGiven(error);
  }
  const session = await openSession(account, options);
  try {
    const dryRun = await checkByDryRun(session, checked);
    if (!isPlan) return await startRead(session, checked, options);
    await session.end();
    return planOf(dryRun, options);
  } catch (error) {
    const explained = session.explain(error);
    void session.end();
    throw toGiven(explained);
  }
}

type ReadOptions = Pick<
  ExecuteOptions,
  'maxRows' | 'maxBytes' | 'maxCellBytes' | 'decimalsAsText' | 'wantOrigins' | 'rowsWanted'
> & {
  /** The session stays open after the rows, for further requests. Default: the session ends with the rows. */
  readonly keepsSession?: boolean;
  /** Location of the datasets. Default: the connection's. */
  readonly location?: string;
};

const pageRowsMax = 10_000;
const batchRowsMax = 2_000;

/** Runs a statement that the service wrote, or that has passed the gate and the dry run. */
export async function startRead(
  session: Session,
  statement: Statement,
  options: ReadOptions,
): Promise<ResultStream> {
  const { maxRows, maxBytes, maxCellBytes, rowsWanted = maxRows, location } = options;
  const pageRows = Math.min(pageRowsMax, Math.min(maxRows, rowsWanted) + 1);
  const limits = { pageRows, maxBytes, maxCellBytes, ...(location !== undefined && { location }) };
  const pages = session.pages(statement, limits);
  const first = await pages.next();
  if (first.done) throw unreadableAnswer();
  const { fields, scannedBytes, billedBytes = null } = first.value;
  return {
    columns: fields.map((field) => presentColumn(field, options)),
    batches: readBatches({ session, pages, first: first.value, options }),
    ...(scannedBytes !== undefined && { scannedBytes }),
    billedBytes,
    close: session.end,
  };
}

// BigQuery does not report the origins of columns.
const presentColumn = (field: BigQueryField, { wantOrigins }: ReadOptions): Column => ({
  name: field.name,
  kind: bigqueryKind(field),
  databaseType: typeText(field),
  ...(wantOrigins ? { origin: null } : {}),
});

type Walk = {
  readonly session: Session;
  readonly pages: AsyncGenerator<CompletePage, void, undefined>;
  readonly first: CompletePage;
  readonly options: ReadOptions;
};

async function* readBatches(walk: Walk): AsyncGenerator<Batch, void, undefined> {
  const { session, pages, first, options } = walk;
  const { maxRows, rowsWanted = Number.POSITIVE_INFINITY } = options;
  const read = (row: string) => readRow(row, first.fields, options);
  let isWhole = false;
  let rowCount = 0;
  try {
    for (let page: CompletePage | undefined = first; page; page = await nextOf(pages)) {
      const { rows } = page;
      if (rows.length === 0 && page.pageToken !== undefined) throw unreadableAnswer();
      rowCount += rows.length;
      if (rowCount > maxRows)
        throw new ConnectorError('too-many-rows', `The result has more than ${plural(maxRows, 'row')}.`);
      if (rowCount > first.totalRows) throw unreadableAnswer();
      for (let from = 0; from < rows.length; from += batchRowsMax)
        yield batchOfRows(rows.slice(from, from + batchRowsMax).map(read), first.fields.length);
      // The row after the requested ones shows that the result has more rows.
      if (rowCount > rowsWanted) return;
    }
    if (rowCount !== first.totalRows) throw unreadableAnswer();
    isWhole = true;
  } catch (error) {
    throw session.explain(error);
  } finally {
    if (!isWhole || !options.keepsSession) void session.end();
  }
}

async function nextOf(pages: Walk['pages']): Promise<CompletePage | undefined> {
  const next = await pages.next();
  return next.done ? undefined : next.value;
}
