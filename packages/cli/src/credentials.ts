import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { baseOf } from './address.ts';
import { type CliContext, CommandFailure } from './context.ts';
import { exitCodes } from './exit-codes.ts';

/** Address of the service and key of the caller. */
export type Credentials = { readonly url: string; readonly key: string | undefined };

type Place = Pick<CliContext, 'env' | 'folder' | 'keyFile'>;

const fileOf = ({ folder }: Pick<CliContext, 'folder'>): string => path.join(folder, 'credentials.json');
const othersMayRead = 0o077;

/** Stores them in a file that no other user may read. */
export function storeCredentials(place: Pick<CliContext, 'folder'>, credentials: Credentials): string {
  const file = fileOf(place);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}.new`;
  writeFileSync(unfinished, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, file);
  return file;
}

/** Deletes them. @returns true if there were any. */
export function removeCredentials(place: Pick<CliContext, 'folder'>): boolean {
  const file = fileOf(place);
  const wasThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
  rmSync(file, { force: true });
  return wasThere;
}

/**
 * Returns the credentials: `SVC_URL` and `SVC_KEY`, or the values that `login` has stored. A stored key is sent only to
 * the service that it was stored for.
 *
 * @throws CommandFailure without an address of the service, or if other users may read the file.
 */
export function readCredentials(place: Place): Credentials {
  const stored = readStored(place);
  const url = place.env['SVC_URL'] || stored?.url;
  if (url === undefined)
    throw new CommandFailure(
      'Say where the service is: svc login URL, or the variable SVC_URL.',
      exitCodes.usage,
    );
  const base = baseOf(url);
  const storedKey = stored?.url === base ? stored.key : undefined;
  if (place.keyFile !== undefined) return { url: base, key: readKeyFile(place.keyFile) };
  const given = place.env['SVC_KEY']?.trim();
  if (given && !isKey(given))
    throw new CommandFailure(
      'SVC_KEY holds no key: a key is one line of visible characters.',
      exitCodes.usage,
    );
  return { url: base, key: given || storedKey };
}

const keyBytesMax = 65_536;

/** Reads the key from a separate file that no other user may read. No message contains any part of the key. */
function readKeyFile(file: string): string {
  const refused = (why: string) => new CommandFailure(`${file} ${why}.`, exitCodes.usage);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw refused('is no file');
  if (stats.size > keyBytesMax) throw refused('is too large for a key');
  if (process.platform !== 'win32' && (stats.mode & othersMayRead) !== 0)
    throw refused('can be read by others: run chmod 600 on it');
  const key = readFileSync(file, 'utf8').trim();
  if (!isKey(key)) throw refused('holds no key: a key is one line of visible characters');
  return key;
}

/** Returns true for a text that can be sent as a key. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

function readStored(place: Place): Credentials | undefined {
  const file = fileOf(place);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (process.platform !== 'win32' && (stats.mode & othersMayRead) !== 0)
    throw new CommandFailure(
      `Others may read ${file}. Run chmod 600 on it, or log in again; if others were on this machine, revoke the key.`,
      exitCodes.failed,
    );
  const stored: unknown = parse(readFileSync(file, 'utf8'));
  const isWhole = typeof stored === 'object' && stored !== null && 'url' in stored;
  if (!isWhole || typeof stored.url !== 'string' || !URL.canParse(stored.url))
    throw new CommandFailure(`${file} cannot be read. Log in again.`, exitCodes.failed);
  return {
    url: baseOf(stored.url),
    key: 'key' in stored && typeof stored.key === 'string' ? stored.key : undefined,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
