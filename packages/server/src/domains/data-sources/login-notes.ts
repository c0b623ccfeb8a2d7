import type { Database } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { notePrivilegedLogin, type PrivilegedLogin } from './store.ts';

/** The part of a source that says whether a privileged login of it is tolerated. */
export type NotedSource = {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  readonly privileged_login: PrivilegedLogin | null;
};

/**
 * Remembers what the logins of sources may do that were saved before privileged ones were refused. Such a source runs
 * on, with a warning once its login was found to be privileged. One that is found to be ordinary is tolerated no more.
 */
export type LoginNotes = {
  /** What the run-SQL door tells of the login; undefined where a privileged one is refused. */
  readonly noteOf: (source: NotedSource) => ((isPrivileged: boolean) => void) | undefined;
  /** Waits for what was told so far to be written. Never rejects. */
  readonly settled: () => Promise<void>;
};

/** Makes the notes. A note that cannot be written is logged; the source's next use tells it again. */
export function createLoginNotes({
  database,
  log,
}: {
  readonly database: Database;
  readonly log: Pick<Logger, 'warn'>;
}): LoginNotes {
  const writing = new Map<string, Promise<void>>();

  const write = async (source: NotedSource, found: PrivilegedLogin | null): Promise<void> => {
    try {
      const isChanged = await notePrivilegedLogin(database, source, found);
      if (isChanged && found) {
        log.warn(
          { dataSourceId: source.id },
          `The login of the data source ${source.name} may reach files or programs of its server.`,
        );
      }
    } catch (error) {
      log.warn({ err: error, dataSourceId: source.id }, 'What a login may do could not be noted.');
    }
  };

  return {
    noteOf: (source) => {
      const { privileged_login: known } = source;
      if (known === null) return undefined;
      return (isPrivileged) => {
        const found = isPrivileged ? 'Tolerated' : null;
        const key = `${source.id} ${source.version} ${found}`;
        if (found === known || writing.has(key)) return;
        writing.set(
          key,
          write(source, found).finally(() => writing.delete(key)),
        );
      };
    },
    settled: async () => {
      await Promise.all(writing.values());
    },
  };
}
