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
  removeLeftovers(`${file}.`);
  const unfinished = `${file}.${process.pid}`;
  const value = make();
  writeDurably(unfinished, value);
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

const previousNameOf = (name: string) => `${name}-previous`;

/** Writes a file whole or not at all, and to the disk before it returns. */
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

/** The value that a secret had before it was replaced, while that is not over; undefined otherwise. */
export function previousSecret(dataDirectory: string, name: string): string | undefined {
  const { file, exists } = keptSecretFile(dataDirectory, previousNameOf(name));
  return exists ? readFileSync(file, 'utf8').trim() : undefined;
}

/**
 * Gives a secret of the data directory a new value and keeps the one before beside it. A replacement that is not
 * over yet goes on: it makes no other value. Cut short at any point, at least one of the two files holds each value.
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

/** Ends a replacement: nothing needs the value before any more. */
export function forgetPreviousSecret(dataDirectory: string, name: string): void {
  rmSync(keptSecretFile(dataDirectory, previousNameOf(name)).file, { force: true });
}
