import { type Config, loadConfig } from '@svc/server';
import { builtInDatabase, externalDatabase, type MetadataDatabase } from '../database/metadata-database.ts';

/** Inputs and outputs of the machine's commands. */
export type CommandContext = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes one line of progress or results for users to standard error. */
  readonly say: (line: string) => void;
  /** Replaces the previously shown line; only on a terminal. */
  readonly rewrite?: ((line: string) => void) | undefined;
  /** Writes the result to standard output, for scripts. */
  readonly answer: (text: string) => void;
};

/** Database of a command, with the settings that selected it. */
export type OpenDatabase = {
  readonly config: Config;
  readonly database: MetadataDatabase;
  readonly isExternal: boolean;
};

/**
 * Opens the configured metadata database for a command and closes it afterwards.
 *
 * @param options.isExclusive  true for work that excludes a running service.
 * @throws Error with a readable message if the settings are invalid, or if a service runs during exclusive work.
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
        dataDirectory: config['Svc:DataDirectory'],
        listensOnLoopback: false,
        isExclusive,
        say,
      });
  try {
    return await work({ config, database, isExternal });
  } finally {
    await database.close();
  }
}
