import { type Config, loadConfig } from '@svc/server';
import { builtInDatabase, externalDatabase, type MetadataDatabase } from '../metadata-database.ts';

/** What every command of the machine gets. */
export type CommandContext = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Progress and findings for people: one line at a time, on the error stream. */
  readonly say: (line: string) => void;
  /** Shows a line in place of the one that it showed before; only on a terminal. */
  readonly rewrite?: ((line: string) => void) | undefined;
  /** The answer itself, on the output stream: what a script reads. */
  readonly answer: (text: string) => void;
};

/** A command's database and the settings that led to it. */
export type OpenDatabase = {
  readonly config: Config;
  readonly database: MetadataDatabase;
  readonly isExternal: boolean;
};

/**
 * Opens the configured metadata database for a command and closes it after.
 *
 * @param options.isExclusive  true for what must not happen beside a running service.
 * @throws Error in words when the settings do not hold, or another service runs where none may.
 */
export async function withDatabase<T>(
  { env, say }: Pick<CommandContext, 'env' | 'say'>,
  { isExclusive }: { readonly isExclusive: boolean },
  work: (open: OpenDatabase) => Promise<T>,
): Promise<T> {
  const { config } = loadConfig({ env });
  const connectionString = config['Svc:Database:ConnectionString'];
  const isExternal = connectionString !== undefined;
  const database = isExternal
    ? externalDatabase(connectionString)
    : await builtInDatabase({
        ...{ dataDirectory: config['Svc:DataDirectory'], listensOnLoopback: false },
        ...{ isExclusive, say },
      });
  try {
    return await work({ config, database, isExternal });
  } finally {
    await database.close();
  }
}
