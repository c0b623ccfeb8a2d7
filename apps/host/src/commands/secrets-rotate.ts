import { createSvc, loadConfig, type RotationReport } from '@svc/server';
import { forgetPreviousSecret, replaceSecret } from '@svc/server/built-in-database';
import { hasStoredSecrets } from '../database/metadata-database.ts';
import { encryptionKey, keptKeyName } from '../encryption-key.ts';
import { withDatabase } from './database.ts';

/** Options of `svc secrets rotate`. */
export type RotateOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Creates a new key first. Only for a key in the data directory, and only while no service uses the directory. */
  readonly makesKey: boolean;
  readonly say: (line: string) => void;
};

const listedMax = 20;

/**
 * Encrypts every stored secret under the current key. The service may run or be stopped. After an interruption, the
 * next call resumes the work.
 *
 * @returns true if no secret needs an earlier key.
 */
export async function rotateSecrets(options: RotateOptions): Promise<boolean> {
  const { env, say, makesKey } = options;
  const configured = loadConfig({ env }).config;
  const connectionString = configured['Svc:Database:ConnectionString'];
  const dataDirectory = configured['Svc:DataDirectory'];
  const isKept = configured['Svc:EncryptionKey'] === undefined && connectionString === undefined;
  if (makesKey && !isKept)
    throw new Error(
      'The key is configured, so the new one must be too: set Svc:EncryptionKey to a new key and Svc:PreviousEncryptionKeys to the old one, restart the service, then run this command without --new-key.',
    );
  return withDatabase(options, { isExclusive: makesKey }, async ({ database }) => {
    const readKeys = () =>
      encryptionKey({
        config: configured,
        hasSecrets: () => hasStoredSecrets(database.connection),
        say,
      });
    // The present key must exist first: a new key could decrypt nothing.
    const present = await readKeys();
    if (makesKey) {
      replaceSecret(dataDirectory, keptKeyName);
      say('The new key is in place; the one before is kept until nothing needs it.');
    }
    const keySettings = makesKey ? await readKeys() : present;
    const { config } = loadConfig({ env, values: keySettings });
    const svc = await createSvc({ config, database: database.connection });
    try {
      const report = await svc.rotateSecrets({
        onProgress: ({ done, total }) => say(`Encrypted ${done} of ${total} ...`),
      });
      tell(report, say);
      if (report.isComplete && isKept) forgetPreviousSecret(dataDirectory, keptKeyName);
      return report.isComplete;
    } finally {
      await svc.close();
    }
  });
}

function tell(report: RotationReport, say: (line: string) => void): void {
  const { resealed, encrypted, rehashed, failures, unresolved, remembered } = report;
  say(
    `Encrypted anew: ${resealed}. Encrypted for the first time: ${encrypted}. Approvals renewed: ${rehashed}.`,
  );
  if (failures.length > 0) {
    say(`Cannot be decrypted: ${failures.length}. Enter these again:`);
    for (const { place, rowId, failure } of failures.slice(0, listedMax))
      say(`  ${place} of ${rowId}: ${failure}`);
    if (failures.length > listedMax) say(`  and ${failures.length - listedMax} more`);
  }
  if (unresolved.length > 0) {
    say(
      `Approvals that need an earlier key: ${unresolved.length}. Decide the change that waits, or save the recipient back, then run this again:`,
    );
    for (const { kind, id, recipientId } of unresolved.slice(0, listedMax))
      say(kind === 'Recipient' ? `  recipient ${id}` : `  change ${id} of recipient ${recipientId}`);
    if (unresolved.length > listedMax) say(`  and ${unresolved.length - listedMax} more`);
  }
  if (remembered.length > 0) {
    say(
      `Subscriptions that remember rows under an earlier key: ${remembered.length}. Each moves over when it runs next:`,
    );
    say(`  ${remembered.slice(0, listedMax).join(', ')}`);
    if (remembered.length > listedMax) say(`  and ${remembered.length - listedMax} more`);
  }
  say(
    report.isComplete
      ? `Everything is under the current key (${report.keyId}). Earlier keys can be removed.`
      : 'Earlier keys are still needed. Run this again when the above is done.',
  );
}
