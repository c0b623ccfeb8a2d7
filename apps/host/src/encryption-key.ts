import type { Config } from '@svc/server';
import { keptSecret, keptSecretFile, previousSecret } from '@svc/server/built-in-database';

/** Name of the key among the secrets of the data directory. */
export const keptKeyName = 'encryption-key';

/** Values of the settings about keys, for `loadConfig`. */
export type KeySettings = {
  readonly 'Svc:EncryptionKey': string;
  readonly 'Svc:PreviousEncryptionKeys': readonly string[];
};

/** @throws Error where the database is an external one and no key is configured: every replica needs the same one. */
export function checkEncryptionKey(config: Config): void {
  const isExternal = config['Svc:Database:ConnectionString'] !== undefined;
  if (isExternal && config['Svc:EncryptionKey'] === undefined)
    throw new Error(
      'With an external database Svc:EncryptionKey must be set (at least 32 characters), the same for every replica. Make one with: openssl rand -base64 32',
    );
}

/**
 * The key that stored secrets are encrypted under: the configured one, or one that is made once and kept in the
 * data directory, for the built-in database only.
 *
 * @param hasSecrets  tells whether the database already holds secrets; a new key could not read them.
 * @throws Error when a key is needed and must not be made here.
 */
export async function encryptionKey(options: {
  config: Config;
  hasSecrets: () => Promise<boolean>;
  say: (line: string) => void;
}): Promise<KeySettings> {
  const configured = options.config['Svc:EncryptionKey'];
  const previous = options.config['Svc:PreviousEncryptionKeys'];
  if (configured !== undefined)
    return { 'Svc:EncryptionKey': configured, 'Svc:PreviousEncryptionKeys': previous };
  checkEncryptionKey(options.config);
  const directory = options.config['Svc:DataDirectory'];
  const file = keptSecretFile(directory, keptKeyName);
  if (!file.exists && (await options.hasSecrets())) {
    throw new Error(
      `The database holds encrypted secrets, but ${file.file} is gone. Restore that file, or set Svc:EncryptionKey to the key that it held.`,
    );
  }
  const kept = keptSecret(directory, keptKeyName);
  if (kept.isNew)
    options.say(
      `Made an encryption key: ${kept.file}. Keep a copy: without it stored secrets cannot be read.`,
    );
  const before = previousSecret(directory, keptKeyName);
  return {
    'Svc:EncryptionKey': kept.value,
    'Svc:PreviousEncryptionKeys': before === undefined ? previous : [before, ...previous],
  };
}

/** Keys that are here, the newest first, without making any. */
export function presentKeys(config: Config): readonly string[] {
  const configured = config['Svc:EncryptionKey'];
  const previous = config['Svc:PreviousEncryptionKeys'];
  if (configured !== undefined) return [configured, ...previous];
  const directory = config['Svc:DataDirectory'];
  const kept = keptSecretFile(directory, keptKeyName).exists
    ? [keptSecret(directory, keptKeyName).value]
    : [];
  const before = previousSecret(directory, keptKeyName);
  return [...kept, ...(before === undefined ? [] : [before]), ...previous];
}
