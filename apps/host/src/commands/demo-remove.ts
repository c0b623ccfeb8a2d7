import { createSvc, loadConfig } from '@svc/server';
import { hasStoredSecrets } from '../database/metadata-database.ts';
import { encryptionKey } from '../encryption-key.ts';
import { type CommandContext, withDatabase } from './database.ts';

/** `svc demo remove`: removes the demo permanently. The service may run or be stopped. */
export const removeDemo = (context: Pick<CommandContext, 'env' | 'say'>): Promise<void> =>
  withDatabase(context, { isExclusive: false }, async ({ config: configured, database }) => {
    const { env, say } = context;
    const keySettings = await encryptionKey({
      config: configured,
      hasSecrets: () => hasStoredSecrets(database.connection),
      say,
    });
    const { config } = loadConfig({ env, values: keySettings });
    const svc = await createSvc({ config, database: database.connection });
    await svc.demo.remove();
    await svc.close();
    say('The demo is removed. It does not come back at the next start.');
  });
