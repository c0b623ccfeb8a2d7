import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { removeLeftovers } from './leftovers.ts';

export type KeptSecret = { readonly value: string; readonly isNew: boolean; readonly file: string };

/** Returns the path of a secret of the data directory, and if the file exists. */
export function keptSecretFile(
  dataDirectory: string,
  name: string,
): { readonly file: string; readonly exists: boolean } {
  const file = path.join(dataDirectory, 'secrets', name);
  return { file, exists: existsSync(file) };
}

/**
 * Reads a secret of the data directory, or creates it once: `<dataDirectory>/secrets/<name>`, mode 0600. Two
 * processes that start concurrently use the same value.
 */
export function keptSecret(
  dataDirectory: string,
  name: string,
  make = () => randomBytes(32).toString('base64url'),
): KeptSecret {
  const { file, exists } = keptSecretFile(dataDirectory, name);
  if (exists) return { value: readFileSync(file, 'utf8').trim(), isNew: false, file };
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  removeLeftovers(`${file}.`);
  const unfinished = `${file}.${process.pid}`;
  const value = make();
  writeDurably(unfinished, value);
  try {
    // A link is atomic, and fails if another process was first.
    linkSync(unfinished, file);
    return { value, isNew: true, file };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return { value: readFileSync(file, 'utf8').trim(), isNew: false, file };
  } finally {
    unlinkSync(unfinished);
  }
}

const previousNameOf = (name: string) => `${name}-previous`;

/** Writes a file atomically and flushes it to disk before returning. */
function writeWhole(file: string, value: string): void {
  const unfinished = `${file}.${process.pid}`;
  writeDurably(unfinished, value);
  renameSync(unfinished, file);
}

function writeDurably(file: string, value: string): void {
  const handle = openSync(file, 'w', 0o600);
  try {
    writeFileSync(handle, value);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Returns the earlier value of a secret during a replacement; undefined otherwise. */
export function previousSecret(dataDirectory: string, name: string): string | undefined {
  const { file, exists } = keptSecretFile(dataDirectory, previousNameOf(name));
  return exists ? readFileSync(file, 'utf8').trim() : undefined;
}

/**
 * Replaces the value of a secret of the data directory and stores the previous value in a second file. An
 * unfinished replacement resumes with its new value. After an interruption at any point, at least one of the two
 * files contains each value.
 */
export function replaceSecret(
  dataDirectory: string,
  name: string,
  make = () => randomBytes(32).toString('base64url'),
): { readonly value: string; readonly previous: string } {
  const { value: present, file } = keptSecret(dataDirectory, name);
  const previous = previousSecret(dataDirectory, name);
  if (previous !== undefined && previous !== present) return { value: present, previous };
  writeWhole(keptSecretFile(dataDirectory, previousNameOf(name)).file, present);
  const value = make();
  writeWhole(file, value);
  return { value, previous: present };
}

/** Ends a replacement. The previous value is no longer needed. */
export function forgetPreviousSecret(dataDirectory: string, name: string): void {
  rmSync(keptSecretFile(dataDirectory, previousNameOf(name)).file, { force: true });
}
