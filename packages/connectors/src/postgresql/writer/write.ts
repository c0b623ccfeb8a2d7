import type { PassThroughTake } from '../../port.ts';
import { type TableName, type WritePlan, WriteRefusal, type WriteSession } from '../../writers/port.ts';
import { applyRows } from './apply.ts';
import { createRowCopier } from './copy-rows.ts';
import { describeTable, type PostgresqlColumn, type PostgresqlTable } from './describe.ts';
import { quotedTable, type StagingTables, stagingTables } from './names.ts';
import { passThroughForm } from './pass-through-types.ts';
import type { WritingSession } from './session.ts';
import { createDestination, createMark, createStaging, dropTables, newColumns } from './staging.ts';
import { type PassThroughTaker, startPassThrough } from './take-pass-through.ts';

/** Copy in progress. */
type Write = {
  readonly session: WritingSession;
  readonly plan: WritePlan;
  readonly tables: StagingTables;
  /** The existing destination; undefined if the copy creates it. */
  readonly description: PostgresqlTable | undefined;
  /** Rows are written directly to the destination, inside the committing transaction, instead of being staged. */
  readonly isDirect: boolean;
};

/**
 * Begins a copy. Rows are staged in a separate table. If rows are only added and none may be left out, they are
 * written directly to the destination, inside the committing transaction.
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
      throw error instanceof WriteRefusal ? error : session.explain(error);
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
  const { client } = session;
  const write = await prepare(session, plan);
  const table = write.isDirect ? quotedTable(plan.destination) : write.tables.rows;
  const columns = columnsOf(write);
  const { keyColumns } = plan;
  const copier = createRowCopier({ client, table, columns, keyColumns, findsRejected: !write.isDirect });
  let passed: PassThroughTaker | undefined;
  return {
    write: (batch, refused) => explaining(() => copier.write(batch, refused)),
    takePassThrough: (types) => {
      // Finding rejected rows needs rows that can be sent again.
      const form = plan.skipsRejected ? undefined : passThroughForm(columns, types);
      if (!form) return undefined;
      return explaining(async () => {
        const taker = await startPassThrough(client, table, columns, form);
        passed = taker;
        const take: PassThroughTake = (piece, rows) => {
          const isTaken = taker.take(piece, rows);
          return isTaken === true ? true : explaining(async () => isTaken);
        };
        return { form, take };
      });
    },
    flush: () => explaining(async () => (passed ? passed.end() : copier.flush())),
    apply: () =>
      explaining(async () => {
        const inserted = passed ? passed.sent() : copier.sent();
        if (write.isDirect) return { inserted, updated: 0, unchanged: 0, deleted: 0 };
        await beginCommit(write);
        return applyRows(client, plan, write.tables.rows);
      }),
    commit: () => explaining(async () => void (await client.query('commit'))),
    finish: () =>
      explaining(async () => {
        await dropTables(client, write.tables);
        session.leave();
      }),
  };
}

/** Reads the destination and creates the tables of the copy. */
async function prepare(session: WritingSession, plan: WritePlan): Promise<Write> {
  const { client } = session;
  const description = await describeTable(client, plan.destination);
  const tables = stagingTables(plan.destination.schema, plan.stagingName);
  const isDirect = plan.mode === 'Insert' && !plan.skipsRejected;
  const write: Write = { session, plan, tables, description, isDirect };
  if (!description && !plan.createsTable) throw noTable(plan.destination);
  await createMark(client, tables);
  if (isDirect) await beginCommit(write);
  else await createStaging(client, plan, unmappedColumns(write), description !== undefined);
  return write;
}

/** Begins the committing transaction. It first deletes the row of the mark, which stays locked until the end. */
async function beginCommit({ session: { client }, plan, tables, description }: Write): Promise<void> {
  await client.query('begin');
  const { rowCount } = await client.query(`delete from ${tables.mark}`);
  if (rowCount !== 1) throw new WriteRefusal('schema-changed', 'Another process has taken this copy over.');
  if (!description) await client.query(createDestination(plan));
}

const noTable = ({ schema, table }: TableName): WriteRefusal =>
  new WriteRefusal('schema-changed', `There is no table ${schema}.${table}.`);

/** Returns the destination's columns in the order of the cells. */
function columnsOf({ description, plan }: Write): PostgresqlColumn[] {
  if (!description) return newColumns(plan);
  return plan.columns.map(({ to }) => {
    const column = description.columns.find(({ name }) => name === to);
    if (column && !column.isGenerated) return column;
    throw new WriteRefusal('schema-changed', `The destination has no column ${to} that can be written to.`);
  });
}

const unmappedColumns = ({ description, plan }: Write): string[] =>
  (description?.columns ?? [])
    .map(({ name }) => name)
    .filter((name) => plan.columns.every(({ to }) => to !== name));
