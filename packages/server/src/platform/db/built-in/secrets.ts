import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A secret of the data directory. */
export type KeptSecret = { readonly value: string; readonly isNew: boolean; readonly file: string };

/** Where a secret of the data directory is kept, and whether it is there. */
export function keptSecretFile(
  dataDirectory: string,
  name: string,
): { readonly file: string; readonly exists: boolean } {
  const file = path.join(dataDirectory, 'secrets', name);
  return { file, exists: existsSync(file) };
}

/**
 * Reads a secret of the data directory, or makes it once: `<dataDirectory>/secrets/<name>`, mode 0600.
 * Two processes that start at once agree on the same value.
 */
export function keptSecret(
  dataDirectory: string,
  name: string,
  make = () => randomBytes(32).toString('base64url'),
): KeptSecret {
  const { file, exists } = keptSecretFile(dataDirectory, name);
  if (exists) return { value: readFileSync(file, 'utf8').trim(), isNew: false, file };
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}`;
  const value = make();
  writeFileSync(unfinished, value, { mode: 0o600 });
  try {
    // A link appears whole or not at all, and fails where another process was first.
    linkSync(unfinished, file);
    return { value, isNew: true, file };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return { value: readFileSync(file, 'utf8').trim(), isNew: false, file };
  } finally {
    unlinkSync(unfinished);
  }
}
