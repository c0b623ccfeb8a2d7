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

/** What statements of all data sources have in common. */
export type ExecuteDeps = {
  readonly guards: SessionGuards;
  readonly pool: ConnectionPool;
  readonly tables: SpeculatedTables;
  readonly catalogues: CatalogueCache;
  readonly startupOptions: StartupOptions;
  readonly typeNames: TypeNameCache;
};

/** How a session for one statement is opened. */
export const sessionOptions = (options: ExecuteOptions, { guards, pool }: ExecuteDeps): SessionOptions => ({
  ...options,
  limits: options,
  guards,
  pool,
});

/** Options of a call that takes a few rows, and no more. */
export type AtOnceOptions = ExecuteOptions & { readonly rowsWanted: number };

/** Settings are given at sign-in for those who read at once: to them alone they are worth being read back. */
export const sessionWithStartupOptions = (options: ExecuteOptions, deps: ExecuteDeps): SessionOptions => ({
  ...sessionOptions(options, deps),
  startupOptions: deps.startupOptions,
});

/** A value as it goes over the wire. */
export const wireValue = ({ value }: BoundValue): string | null => (value === null ? null : String(value));

/** A session whose transaction has begun, and the columns of the statement that is planned in it. */
export type Prepared = { readonly session: Session; readonly fields: readonly pg.FieldDef[] };

/**
 * Begins the transaction and has the statement planned and described in one round trip; none of it is run yet. A
 * connection of the pool that turns out to be dead is replaced.
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
      const left = session.abandon();
      if (session.isReused && explained.code === 'connection-lost') continue;
      await left;
      throw explained;
    }
  }
}
