import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from '../../log/index.ts';
import type { Database } from '../database.ts';
import { createRecentWrites, type RecentWrites } from './recent-writes.ts';
import type { Replica } from './replica.ts';

/** Reads that tolerate replica lag. They relieve the primary. */
export type LateReads = {
  /**
   * Reads for a caller from the replica. After a write of the caller in the last 5 s, the primary answers. The
   * primary also answers if the replica is 5 s late, unavailable or failing. `read` may run twice and must change
   * nothing.
   */
  readonly read: <T>(caller: string, read: () => Promise<T>) => Promise<T>;
  /** Called before the response to a caller's write is sent. */
  readonly noteWrite: (caller: string) => Promise<void>;
  readonly sweep: () => Promise<void>;
};

const lagMsMax = 5_000;

const lateDatabase = new AsyncLocalStorage<Database | undefined>();

/** Returns the primary, except during a late read, which uses the replica. Transactions always use the primary. */
export function routeReads(primary: Database): Database {
  const current = (): Database => lateDatabase.getStore() ?? primary;
  return {
    pool: primary.pool,
    get kysely() {
      return current().kysely;
    },
    lookups: {
      coalesce: (statement) => current().lookups.coalesce(statement),
      flush: (statement) => current().lookups.flush(statement),
    },
    query: (statement, values) => current().query(statement, values),
    transaction: (work) => lateDatabase.run(undefined, () => primary.transaction(work)),
  };
}

/** @param deps.primary  The primary, not wrapped by `routeReads`. */
export function createLateReads(deps: {
  readonly primary: Database;
  readonly replica: Pick<Replica, 'database' | 'lagMs' | 'noteFailure'>;
  readonly log: Logger;
  readonly writes?: RecentWrites;
}): LateReads {
  const { primary, replica, log, writes = createRecentWrites(primary) } = deps;
  const isFresh = (): boolean => (replica.lagMs() ?? Number.POSITIVE_INFINITY) <= lagMsMax;
  return {
    read: async (caller, read) => {
      if (!isFresh() || (await writes.isRecent(caller))) return read();
      try {
        return await lateDatabase.run(replica.database, read);
      } catch (error) {
        // Includes data that the replica lacks so far: a new record, or a column of an upgrade.
        replica.noteFailure(error);
        return read();
      }
    },
    noteWrite: (caller) =>
      writes.note(caller).catch((error: unknown) => {
        log.warn({ err: error }, 'it could not be noted that somebody changed something');
      }),
    sweep: writes.sweep,
  };
}
