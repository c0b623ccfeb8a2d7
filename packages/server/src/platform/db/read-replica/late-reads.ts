import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from '../../log/index.ts';
import type { Database } from '../database.ts';
import { createRecentWrites, type RecentWrites } from './recent-writes.ts';
import type { Replica } from './replica.ts';

/** Reads that may be late: they leave the primary to what may not. */
export type LateReads = {
  /**
   * Reads for somebody: from the replica unless they changed something in the last 5 s, the replica is 5 s late or away,
   * or it did not answer well: then from the primary. `read` may run twice, and must change nothing.
   */
  readonly read: <T>(caller: string, read: () => Promise<T>) => Promise<T>;
  /** Told before somebody's change is answered. */
  readonly noteWrite: (caller: string) => Promise<void>;
  readonly sweep: () => Promise<void>;
};

const lagMsMax = 5_000;

const lateDatabase = new AsyncLocalStorage<Database | undefined>();

/** The primary, but for what is read in the course of a late read; transactions are always the primary's. */
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

/** @param deps.primary  as it was before `routeReads`. */
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
        // Also what it does not have yet: a record of this moment, a column of an upgrade.
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
