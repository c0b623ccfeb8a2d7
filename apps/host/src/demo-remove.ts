import { createSvc, loadConfig } from '@svc/server';
import { encryptionKey } from './encryption-key.ts';
import { builtInDatabase, externalDatabase, hasStoredSecrets } from './metadata-database.ts';

/** Removes the demo for good, beside a running service or without one. */
export async function removeDemo(options: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
}): Promise<void> {
  const { env, say } = options;
  const configured = loadConfig({ env }).config;
  const connectionString = configured['Svc:Database:ConnectionString'];
  const database =
    connectionString === undefined
      ? await builtInDatabase({
          dataDirectory: configured['Svc:DataDirectory'],
          listensOnLoopback: false,
          isExclusive: false,
          say,
        })
      : externalDatabase(connectionString);
  try {
    const keySettings = await encryptionKey({
      config: configured,
      usesExternalDatabase: connectionString !== undefined,
      hasSecrets: () => hasStoredSecrets(database.connection),
      say,
    });
    const { config } = loadConfig({ env, values: keySettings });
    const svc = await createSvc({ config, database: database.connection });
    await svc.demo.remove();
    await svc.close();
    say('The demo is removed. It does not come back at the next start.');
  } finally {
    await database.close();
  }
}
