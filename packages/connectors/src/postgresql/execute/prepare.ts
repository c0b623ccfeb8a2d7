import { exchange, prepareRead, runTexts } from '@svc/pg-wire';
import type pg from 'pg';
import type { BoundValue } from '../../bound-value.ts';
import type { ExecuteOptions, Statement } from '../../port.ts';
import type { ConnectionPool } from '../connection/connection-pool.ts';
import {
  connectSession,
  type Session,
  type SessionGuards,
  type SessionOptions,
} from '../connection/session.ts';
import type { StartupOptions } from '../connection/startup-options.ts';
import type { CatalogueCache } from '../lineage/catalogue-cache.ts';
import type { PostgresqlConnection } from '../settings.ts';
import type { SpeculatedTables } from './speculated-tables.ts';
import type { TypeNameCache } from './type-names.ts';

/** Dependencies that statements of all data sources share. */
export type ExecuteDeps = {
  readonly guards: SessionGuards;
  readonly pool: ConnectionPool;
  readonly tables: SpeculatedTables;
  readonly catalogues: CatalogueCache;
  readonly startupOptions: StartupOptions;
  readonly typeNames: TypeNameCache;
};

/** Returns the options for opening the session of one statement. */
export const sessionOptions = (options: ExecuteOptions, { guards, pool }: ExecuteDeps): SessionOptions => ({
  ...options,
  limits: options,
  guards,
  pool,
});

/** Options of a call that reads only a few rows. */
export type AtOnceOptions = ExecuteOptions & { readonly rowsWanted: number };

/** Session options that set constant settings at sign-in. Only reads in one step gain more than checking them costs. */
export const sessionWithStartupOptions = (options: ExecuteOptions, deps: ExecuteDeps): SessionOptions => ({
  ...sessionOptions(options, deps),
  startupOptions: deps.startupOptions,
});

/** Returns a value in the form of the protocol. */
export const wireValue = ({ value }: BoundValue): string | null => (value === null ? null : String(value));

/** Session with an open transaction, and the columns of the statement that is planned in it. */
export type Prepared = { readonly session: Session; readonly fields: readonly pg.FieldDef[] };

/**
 * Begins the transaction, and plans and describes the statement in one round trip. The statement does not run yet. A
 * dead connection of the pool is replaced.
 */
export async function prepare(
  connection: PostgresqlConnection,
  statement: Statement,
  options: SessionOptions,
): Promise<Prepared> {
  for (;;) {
    const session = await connectSession(connection, options);
    try {
      const fields = await exchange(session.client, [
        runTexts(session.begin()),
        prepareRead(statement.sql, (statement.values ?? []).map(wireValue)),
      ]);
      return { session, fields };
    } catch (error) {
      const explained = session.explain(error, statement.sql);
      const abandoned = session.abandon();
      if (session.isReused && explained.code === 'connection-lost') continue;
      await abandoned;
      throw explained;
    }
  }
}
