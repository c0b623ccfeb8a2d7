import type { Config } from '@svc/server';
import { keptSecret, keptSecretFile, previousSecret } from '@svc/server/built-in-database';

/** Name of the key in the secrets of the data directory. */
export const keptKeyName = 'encryption-key';

/** Key settings for `loadConfig`. */
export type KeySettings = {
  readonly 'Svc:EncryptionKey': string;
  readonly 'Svc:PreviousEncryptionKeys': readonly string[];
};

/**
 * Checks that an external database has a configured key: all replicas need the same key.
 *
 * @throws Error without a configured key.
 */
export function checkEncryptionKey(config: Config): void {
  const isExternal = config['Svc:Database:ConnectionString'] !== undefined;
  if (isExternal && config['Svc:EncryptionKey'] === undefined)
    throw new Error(
      'With an external database Svc:EncryptionKey must be set (at least 32 characters), the same for every replica. Make one with: openssl rand -base64 32',
    );
}

/**
 * Returns the key that encrypts stored secrets: the configured key, or for the built-in database a generated key. The
 * generated key is created once and stored in the data directory.
 *
 * @param hasSecrets  returns true if the database already contains secrets; a new key could not decrypt them.
 * @throws Error if a key is needed and must not be created here.
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

/** Returns the available keys, newest first. Creates none. */
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
