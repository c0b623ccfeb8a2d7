import { type DefinitionsClient, SvcProblem } from '@svc/cli';
import { createSvc, HttpProblem, loadConfig, toProblem } from '@svc/server';
import { hasStoredSecrets } from '../database/metadata-database.ts';
import { encryptionKey } from '../encryption-key.ts';
import { type CommandContext, withDatabase } from './database.ts';

/** Plans and applies files with the service of this machine, as one of its users. The service may run or be stopped. */
export const withDefinitions = <T>(
  context: Pick<CommandContext, 'env' | 'say'>,
  userName: string,
  work: (client: DefinitionsClient) => Promise<T>,
): Promise<T> =>
  withDatabase(context, { isExclusive: false }, async ({ config: configured, database }) => {
    const { env, say } = context;
    const keySettings = await encryptionKey({
      config: configured,
      hasSecrets: () => hasStoredSecrets(database.connection),
      say,
    });
    const { config } = loadConfig({ env, values: keySettings });
    const svc = await createSvc({ config, database: database.connection });
    try {
      const user = await svc.provisioning.as(userName);
      return await work({
        planDefinitions: ({ body }) => refusedAsThere(() => user.plan({ ...body, files: [...body.files] })),
        applyDefinitions: ({ body }) => refusedAsThere(() => user.apply(body)),
      });
    } finally {
      await svc.close();
    }
  });

/** Converts a refusal to the form that it has over HTTP. */
async function refusedAsThere<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof HttpProblem ? new SvcProblem(toProblem(error, { basePath: '' })) : error;
  }
}
