import type { CallOptions } from '../../port.ts';
import type { Recovered, Writer } from '../../writers/port.ts';
import type { MysqlConnection } from '../settings.ts';
import { describeTable, missingToCreate } from './describe.ts';
import { type StagingTables, stagingTables } from './names.ts';
import { isDoubled } from './rejections.ts';
import { openWritingSession, type WritingSession } from './session.ts';
import { dropTables, newColumnType } from './staging.ts';
import { startWrite } from './write.ts';

/** Time for dropping a copy's tables at its end. Remaining tables are dropped later. */
const cleanTimeoutMs = 5_000;

/** Creates the writer for MySQL 5.7 and later and MariaDB 10.3 and later, into tables of engines with transactions. */
export function createMysqlWriter(): Writer<MysqlConnection> {
  const within = async <T>(
    connection: MysqlConnection,
    call: CallOptions,
    work: (session: WritingSession) => Promise<T>,
  ): Promise<T> => {
    const session = await openWritingSession(connection, call);
    try {
      const result = await work(session);
      session.leave();
      return result;
    } catch (error) {
      const explained = session.explain(error);
      await session.abandon();
      throw explained;
    }
  };
  return {
    engine: 'MySQL',
    newColumnType,
    describe: (connection, table, call) =>
      within(connection, call, async (session) => ({
        table: await describeTable(session, table),
        missingToCreate: await missingToCreate(session, table),
      })),
    open: async (connection, plan, call) => {
      const tables = stagingTables(plan.destination.schema, plan.stagingName);
      const cleaning = { ...call, timeoutMs: cleanTimeoutMs };
      return startWrite(await openWritingSession(connection, call), plan, () =>
        within(connection, { ...cleaning, signal: AbortSignal.timeout(cleanTimeoutMs) }, (session) =>
          dropTables(session, tables),
        ),
      );
    },
    recover: (connection, { schema, stagingName }, call) =>
      within(connection, call, (session) => recover(session, stagingTables(schema, stagingName))),
    dropStaging: (connection, { schema, stagingNames }, call) =>
      within(connection, call, async (session) => {
        for (const name of stagingNames) await dropTables(session, stagingTables(schema, name));
      }),
  };
}

const noSuchTable = 1146;
const numberOf = (error: unknown): number =>
  error instanceof Error && 'errno' in error ? Number(error.errno) : 0;

/**
 * Determines whether a copy was committed. It inserts its own row into the mark, which waits for a transaction that
 * has inserted one. An existing row shows whether the copy was committed. Otherwise the staging table is renamed, so
 * that it cannot become the destination any more. If the staging table no longer exists, it has already become the
 * destination.
 */
async function recover(session: WritingSession, tables: StagingTables): Promise<Recovered> {
  try {
    await session.run(`insert into ${tables.mark} values (1, 0)`);
  } catch (error) {
    if (numberOf(error) === noSuchTable) return 'NothingThere';
    if (!isDoubled(error)) throw error;
    const [row] = await session.rows<{ done: string | number }>(
      `select is_committed as done from ${tables.mark}`,
    );
    if (Number(row?.done) === 1) return 'Committed';
  }
  if (!(await takeAside(session, tables))) return 'Committed';
  await dropTables(session, tables);
  return 'NotCommitted';
}

async function takeAside(session: WritingSession, { rows, taken }: StagingTables): Promise<boolean> {
  try {
    await session.run(`rename table ${rows} to ${taken}`);
    return true;
  } catch (error) {
    if (numberOf(error) !== noSuchTable) throw error;
  }
  // An earlier recovery that did not finish has renamed the table.
  return session.rows(`select 1 from ${taken} limit 1`).then(
    () => true,
    (error: unknown) => {
      if (numberOf(error) === noSuchTable) return false;
      throw error;
    },
  );
}
