import { loadConfig } from '@svc/server';
import { keptSecretFile } from '@svc/server/built-in-database';
import { type BackupManifest, createBackup, holdsKeys, restoreBackup } from '@svc/server/operations';
import { keptKeyName, presentKeys } from '../encryption-key.ts';
import { type CommandContext, withDatabase } from './database.ts';
import { tellProgress } from './progress.ts';

const rowsOf = ({ tables }: BackupManifest): string =>
  tables.reduce((sum, { rows }) => sum + rows, 0).toLocaleString('en');

/** Returns the location of the key, which a backup does not contain. */
function keyPlace({ env }: CommandContext): string {
  const { config } = loadConfig({ env });
  return config['Svc:EncryptionKey'] === undefined
    ? keptSecretFile(config['Svc:DataDirectory'], keptKeyName).file
    : 'the value of Svc:EncryptionKey';
}

/** `svc backup FILE`: writes all data of the service into one file. The service may run or be stopped. */
export const backUp = (context: CommandContext, file: string): Promise<void> =>
  withDatabase(context, { isExclusive: false }, async ({ database }) => {
    const tell = tellProgress(context, 'Reading');
    const manifest = await createBackup({
      connection: database.connection,
      file,
      now: new Date(),
      onTable: ({ name, position, total }) => tell({ name, done: position - 1, total }),
    });
    context.say(`Backed up ${rowsOf(manifest)} rows of ${manifest.tables.length} tables into ${file}.`);
    context.say(
      `Keep the key as well, in another place: ${keyPlace(context)}. Without it no secret can be read.`,
    );
  });

/**
 * `svc restore FILE [--as-copy]`: restores a backup into an empty database.
 *
 * @returns true if the service can start on it, false if its key is missing here.
 */
export const restore = (
  context: CommandContext,
  file: string,
  { asCopy }: { readonly asCopy: boolean },
): Promise<boolean> =>
  withDatabase(context, { isExclusive: true }, async ({ config, database }) => {
    const { say } = context;
    const tell = {
      verifying: tellProgress(context, 'Verifying'),
      writing: tellProgress(context, 'Writing'),
    };
    const manifest = await restoreBackup({
      connection: database.connection,
      file,
      asCopy,
      onProgress: ({ kind, name, position, total }) => tell[kind]({ name, done: position - 1, total }),
    });
    say(
      `Restored ${rowsOf(manifest)} rows of ${manifest.tables.length} tables, as of ${manifest.createdAt}.`,
    );
    say(
      'Everybody signs in again. API keys that were revoked after the backup are valid again: look at them.',
    );
    if (asCopy)
      say(
        'A copy: every queue is paused, so nothing runs and nothing is sent. Resume queues on the job dashboard.',
      );
    const areKeysHere = holdsKeys(manifest.keyIds, presentKeys(config));
    if (!areKeysHere)
      say(
        `Its secrets are under the key ${manifest.keyIds.join(' or ')}, which is not here. Put it in place before a start: ${keyPlace(context)}.`,
      );
    return areKeysHere;
  });
