import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConnectorError } from '../../error.ts';
import { type Recovered, WriteRefusal } from '../../writers/port.ts';
import type { StagingFiles } from './place.ts';

/** Creates the token, then the mark. A mark without a token means a committed copy. */
export async function createStaging({ token, mark }: StagingFiles): Promise<void> {
  for (const file of [token, mark]) await (await open(file, 'wx')).close();
}

/**
 * Renames the finished file to the token. Detects an earlier takeover. A later takeover renames the complete file, so that
 * it can no longer become the destination.
 *
 * @throws WriteRefusal after an earlier takeover
 */
export async function finishWork({ work, token, taken, mark }: StagingFiles): Promise<void> {
  await syncFile(work);
  await rename(work, token);
  // Check in this order: a takeover renames the token, then removes the mark, and only then the renamed token.
  if ((await isThere(taken)) || !(await isThere(mark))) {
    throw new WriteRefusal('schema-changed', 'Another process has taken this copy over.');
  }
}

/** Commits with one rename, then syncs the folder so that the rename survives a crash. */
export async function commitToken({ token }: StagingFiles, destination: string): Promise<void> {
  await rename(token, destination);
  await syncFile(path.dirname(destination));
}

/** Returns the outcome of a copy and makes it final: see `Writer.recover`. */
export async function recoverIn(files: StagingFiles): Promise<Recovered> {
  if (await takeAside(files)) {
    await dropStaging(files);
    return 'NotCommitted';
  }
  return (await isThere(files.mark)) ? 'Committed' : 'NothingThere';
}

async function takeAside({ token, taken }: StagingFiles): Promise<boolean> {
  try {
    await rename(token, taken);
    return true;
  } catch (error) {
    if (!isMissing(error)) throw error;
    // An unfinished earlier recovery may have renamed the token.
    return isThere(taken);
  }
}

/** Removes the mark first, because without it no copy counts as committed, and the renamed token last. */
export async function dropStaging({ mark, token, work, taken }: StagingFiles): Promise<void> {
  for (const file of [mark, token, work, taken]) await rm(file, { force: true });
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

/** Converts an error of the file system to a `ConnectorError` without the path. Returns other errors unchanged. */
export function fileError(error: unknown): unknown {
  if (error instanceof ConnectorError || error instanceof WriteRefusal) return error;
  const code = codeOf(error);
  if (code === '') return error;
  const isRefused = ['EACCES', 'EPERM', 'EROFS'].includes(code);
  return new ConnectorError(
    isRefused ? 'permission-denied' : 'statement-failed',
    code === 'ENOSPC'
      ? 'There is no room left for the file.'
      : `The file cannot be written (${code.toLowerCase()}).`,
    { origin: 'Service', engineCode: code, cause: error },
  );
}
