import { type TableName, type WritePlan, WriteRefusal, type WriteSession } from '../../writers/port.ts';
import { applyRows, assertKeys } from './apply.ts';
import { describeTable, type MysqlColumn, type MysqlTable } from './describe.ts';
import { createRowInserter, doubledKey, isDoubled } from './insert-rows.ts';
import { takesLocalRows } from './load-rows.ts';
import { quotedTable, type StagingTables, stagingTables } from './names.ts';
import type { WritingSession } from './session.ts';
import { createStaging, dropTables, newColumns } from './staging.ts';

/** A copy that is under way. */
type Write = {
  readonly session: WritingSession;
  readonly plan: WritePlan;
  readonly tables: StagingTables;
  /** The destination as it is; undefined while it is to be made. */
  readonly found: MysqlTable | undefined;
  /** Rows go into the destination inside the transaction that commits them, instead of waiting beside it. */
  readonly isDirect: boolean;
};

/**
 * Begins a copy. Rows wait in a table of its own beside the destination. One transaction brings them into a destination
 * that is there; one that is to be made is the waiting table itself, which gets its name by one statement. Where rows are
 * only added and none may be left out, they go into the destination at once, inside that transaction.
 *
 * @param clean  drops what the copy needed for itself, on a connection of its own.
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
  const found = await describeTable(session, plan.destination);
  if (!found && !plan.createsTable) throw noTable(plan.destination);
  const tables = stagingTables(plan.destination.schema, plan.stagingName);
  const isDirect = found !== undefined && plan.mode === 'Insert' && !plan.skipsRejected;
  const write: Write = { session, plan, tables, found, isDirect };
  const columns = columnsOf(write);
  await createStaging(session, plan, tables, found !== undefined);
  const { keyColumns } = plan;
  const loads = await takesLocalRows(session);
  if (isDirect) await beginCommit(write);
  const table = isDirect ? quotedTable(plan.destination) : tables.rows;
  const inserter = createRowInserter({
    ...{ session, table, columns, keyColumns, loads, isInTransaction: isDirect },
  });
  const apply = async () => {
    if (isDirect) return { inserted: inserter.sent(), updated: 0, unchanged: 0, deleted: 0 };
    return found ? applyTo(write, columns) : countNew(write);
  };
  return {
    write: (batch, refused) => explaining(() => inserter.write(batch, refused)),
    flush: () => explaining(inserter.flush),
    apply: () => explaining(apply),
    commit: () =>
      explaining(async () => {
        await session.run(
          found ? 'commit' : `rename table ${tables.rows} to ${quotedTable(plan.destination)}`,
        );
      }),
    finish: () =>
      explaining(async () => {
        await dropTables(session, tables);
        session.leave();
      }),
  };
}

/** The mark's row goes in first of all: whoever takes the copy over waits for it, and puts in its own otherwise. */
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

/** What the table that is made will hold. */
async function countNew({ session, plan, tables }: Write) {
  if (plan.keyColumns.length > 0) await assertKeys(session, plan, { staging: tables.rows });
  const [row] = await session.rows<{ n: string | number }>(`select count(*) as n from ${tables.rows}`);
  return { inserted: Number(row?.n ?? 0), updated: 0, unchanged: 0, deleted: 0 };
}

const noTable = ({ schema, table }: TableName): WriteRefusal =>
  new WriteRefusal('schema-changed', `There is no table ${schema}.${table}.`);

/** The destination's columns in the order of the cells. */
function columnsOf({ found, plan }: Write): MysqlColumn[] {
  if (!found) return newColumns(plan);
  return plan.columns.map(({ to }) => {
    const column = found.columns.find(({ name }) => name === to);
    if (column && !column.isGenerated) return column;
    throw new WriteRefusal('schema-changed', `The destination has no column ${to} that can be written to.`);
  });
}
