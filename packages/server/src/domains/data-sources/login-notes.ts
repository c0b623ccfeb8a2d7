import type { Database } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { notePrivilegedLogin, type PrivilegedLogin } from './store.ts';

/** Members of a source that state whether a privileged login is tolerated. */
export type NotedSource = {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  readonly privileged_login: PrivilegedLogin | null;
};

/**
 * Stores the privileges of logins saved before the service refused privileged logins. Such a source continues to work,
 * with a warning when its login is privileged. After one connection with an ordinary login, the source is not tolerated
 * any more.
 */
export type LoginNotes = {
  /** Returns the callback for the run-SQL gateway; undefined when a privileged login is refused. */
  readonly noteOf: (source: NotedSource) => ((isPrivileged: boolean) => void) | undefined;
  /** Waits until the reported logins are stored. Never rejects. */
  readonly settled: () => Promise<void>;
};

/** Creates the notes. A failed write is logged; the next use of the source reports the login again. */
export function createLoginNotes({
  database,
  log,
}: {
  readonly database: Database;
  readonly log: Pick<Logger, 'warn'>;
}): LoginNotes {
  const writing = new Map<string, Promise<void>>();

  const write = async (source: NotedSource, login: PrivilegedLogin | null): Promise<void> => {
    try {
      const isChanged = await notePrivilegedLogin(database, source, login);
      if (isChanged && login) {
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
      const { privileged_login: storedLogin } = source;
      if (storedLogin === null) return undefined;
      return (isPrivileged) => {
        const login = isPrivileged ? 'Tolerated' : null;
        const key = `${source.id} ${source.version} ${login}`;
        if (login === storedLogin || writing.has(key)) return;
        writing.set(
          key,
          write(source, login).finally(() => writing.delete(key)),
        );
      };
    },
    settled: async () => {
      await Promise.all(writing.values());
    },
  };
}
