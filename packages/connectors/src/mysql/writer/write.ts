import { type TableName, type WritePlan, WriteRefusal, type WriteSession } from '../../writers/port.ts';
import { applyRows, assertKeys } from './apply.ts';
import { describeTable, type MysqlColumn, type MysqlTable } from './describe.ts';
import { createRowInserter } from './insert-rows.ts';
import { takesLocalRows } from './load-rows.ts';
import { quotedTable, type StagingTables, stagingTables } from './names.ts';
import { doubledKey, isDoubled } from './rejections.ts';
import type { WritingSession } from './session.ts';
import { createStaging, dropTables, newColumns } from './staging.ts';

/** Copy in progress. */
type Write = {
  readonly session: WritingSession;
  readonly plan: WritePlan;
  readonly tables: StagingTables;
  /** The existing destination; undefined if the copy creates it. */
  readonly description: MysqlTable | undefined;
  /** Rows are written directly to the destination, inside the committing transaction, instead of being staged. */
  readonly isDirect: boolean;
};

/**
 * Begins a copy. Rows are staged in a separate table. One transaction moves them into an existing destination. A new
 * destination is the staging table itself, which one statement renames. If rows are only added and none may be left
 * out, they are written directly to the destination inside the committing transaction.
 *
 * @param clean  drops the tables of the copy, on a separate connection.
 */
export async function startWrite(
  session: WritingSession,
  plan: WritePlan,
  clean: () => Promise<void>,
): Promise<WriteSession> {
  const abandon = async (): Promise<boolean> => {
    await session.abandon();
    return clean().then(
      () => true,
      () => false,
    );
  };
  const explaining = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof WriteRefusal) throw error;
      throw isDoubled(error) ? doubledKey(error) : session.explain(error);
    }
  };
  try {
    return { ...(await explaining(() => openWrite(session, plan, explaining))), abandon };
  } catch (error) {
    await abandon();
    throw error;
  }
}

async function openWrite(
  session: WritingSession,
  plan: WritePlan,
  explaining: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Omit<WriteSession, 'abandon'>> {
  const description = await describeTable(session, plan.destination);
  if (!description && !plan.createsTable) throw noTable(plan.destination);
  const tables = stagingTables(plan.destination.schema, plan.stagingName);
  const isDirect = description !== undefined && plan.mode === 'Insert' && !plan.skipsRejected;
  const write: Write = { session, plan, tables, description, isDirect };
  const columns = columnsOf(write);
  await createStaging(session, plan, tables, description !== undefined);
  const { keyColumns } = plan;
  const loads = await takesLocalRows(session);
  if (isDirect) await beginCommit(write);
  const table = isDirect ? quotedTable(plan.destination) : tables.rows;
  const inserter = createRowInserter({
    session,
    table,
    columns,
    keyColumns,
    loads,
    isInTransaction: isDirect,
  });
  const apply = async () => {
    if (isDirect) return { inserted: inserter.stored(), updated: 0, unchanged: 0, deleted: 0 };
    return description ? applyTo(write, columns) : countNew(write);
  };
  return {
    write: (batch, refused) => explaining(() => inserter.write(batch, refused)),
    flush: () => explaining(inserter.flush),
    apply: () => explaining(apply),
    commit: () =>
      explaining(async () => {
        await session.run(
          description ? 'commit' : `rename table ${tables.rows} to ${quotedTable(plan.destination)}`,
        );
      }),
    finish: () =>
      explaining(async () => {
        await dropTables(session, tables);
        session.leave();
      }),
  };
}

/**
 * Begins the committing transaction. Its first statement inserts the row of the mark: a takeover waits for this row,
 * and inserts its own row if the transaction rolls back.
 */
async function beginCommit({ session, tables }: Write): Promise<void> {
  await session.run('start transaction');
  await session.run(`insert into ${tables.mark} values (1, 1)`).catch((error: unknown) => {
    throw isDoubled(error)
      ? new WriteRefusal('schema-changed', 'Another process has taken this copy over.')
      : error;
  });
}

async function applyTo(write: Write, columns: readonly MysqlColumn[]) {
  await beginCommit(write);
  return applyRows(write.session, write.plan, columns, write.tables.rows);
}

/** Counts the rows of the new table. */
async function countNew({ session, plan, tables }: Write) {
  if (plan.keyColumns.length > 0) await assertKeys(session, plan, { staging: tables.rows });
  const [row] = await session.rows<{ n: string | number }>(`select count(*) as n from ${tables.rows}`);
  return { inserted: Number(row?.n ?? 0), updated: 0, unchanged: 0, deleted: 0 };
}

const noTable = ({ schema, table }: TableName): WriteRefusal =>
  new WriteRefusal('schema-changed', `There is no table ${schema}.${table}.`);

/** Returns the destination's columns in the order of the cells. */
function columnsOf({ description, plan }: Write): MysqlColumn[] {
  if (!description) return newColumns(plan);
  return plan.columns.map(({ to }) => {
    const column = description.columns.find(({ name }) => name === to);
    if (column && !column.isGenerated) return column;
    throw new WriteRefusal('schema-changed', `The destination has no column ${to} that can be written to.`);
  });
}
