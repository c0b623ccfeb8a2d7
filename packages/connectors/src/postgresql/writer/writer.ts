import type { CallOptions } from '../../port.ts';
import type { Recovered, Writer } from '../../writers/port.ts';
import { createLoginGuard } from '../connection/login.ts';
import type { SessionGuards } from '../connection/session.ts';
import type { PostgresqlOptions } from '../index.ts';
import type { PostgresqlConnection } from '../settings.ts';
import { describeTable, missingToCreate } from './describe.ts';
import { type StagingTables, stagingTables } from './names.ts';
import { openWritingSession, type WritingSession } from './session.ts';
import { dropTables, newColumnType } from './staging.ts';
import { startWrite } from './write.ts';

/** Time for dropping a copy's tables at its end. Remaining tables are dropped later. */
const cleanTimeoutMs = 5_000;

/** Creates the writer for PostgreSQL 10 and later. */
export function createPostgresqlWriter(
  options: Pick<PostgresqlOptions, 'ownDatabases'>,
): Writer<PostgresqlConnection> {
  const guards: SessionGuards = { ownDatabases: options.ownDatabases ?? [], logins: createLoginGuard() };
  const within = async <T>(
    connection: PostgresqlConnection,
    call: CallOptions,
    work: (session: WritingSession) => Promise<T>,
  ): Promise<T> => {
    const session = await openWritingSession(connection, call, guards);
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
    engine: 'PostgreSQL',
    newColumnType,
    describe: (connection, table, call) =>
      within(connection, call, async ({ client }) => ({
        table: await describeTable(client, table),
        missingToCreate: await missingToCreate(client, table.schema),
      })),
    open: async (connection, plan, call) => {
      const cleaning = { ...call, timeoutMs: cleanTimeoutMs };
      const tables = stagingTables(plan.destination.schema, plan.stagingName);
      return startWrite(await openWritingSession(connection, call, guards), plan, () =>
        within(connection, { ...cleaning, signal: AbortSignal.timeout(cleanTimeoutMs) }, ({ client }) =>
          dropTables(client, tables),
        ),
      );
    },
    recover: (connection, { schema, stagingName }, call) =>
      within(connection, call, (session) => recover(session, stagingTables(schema, stagingName))),
    dropStaging: (connection, { schema, stagingNames }, call) =>
      within(connection, call, async ({ client }) => {
        for (const name of stagingNames) await dropTables(client, stagingTables(schema, name));
      }),
  };
}

/**
 * Determines whether a copy was committed. It locks the mark, which waits for the committing transaction. If the row
 * is gone, that transaction has committed. Otherwise the tables are dropped, so that it can never commit.
 */
async function recover({ client }: WritingSession, tables: StagingTables): Promise<Recovered> {
  const { rows } = await client.query<{ is_there: boolean }>(
    'select pg_catalog.to_regclass($1) is not null as is_there',
    [tables.mark],
  );
  if (!rows[0]?.is_there) return 'NothingThere';
  await client.query('begin');
  await client.query(`lock table ${tables.mark} in access exclusive mode`);
  const { rowCount } = await client.query(`select from ${tables.mark}`);
  if (rowCount === 0) {
    await client.query('rollback');
    return 'Committed';
  }
  await dropTables(client, tables);
  await client.query('commit');
  return 'NotCommitted';
}
