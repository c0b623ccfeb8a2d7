import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConnectorError } from '../../error.ts';
import { type Recovered, WriteRefusal } from '../../writers/port.ts';
import type { StagingFiles } from './place.ts';

/** Makes the token, then the mark: a mark without a token is a copy that came through. */
export async function createStaging({ token, mark }: StagingFiles): Promise<void> {
  for (const file of [token, mark]) await (await open(file, 'wx')).close();
}

/**
 * Makes the finished file the token. A takeover that came before is seen here; one that comes after takes the whole file
 * aside, so that it cannot become the destination any more.
 */
export async function finishWork({ work, token, taken, mark }: StagingFiles): Promise<void> {
  await syncFile(work);
  await rename(work, token);
  // In this order: whoever takes over puts the token aside, then removes the mark, and only then what was put aside.
  if ((await isThere(taken)) || !(await isThere(mark))) {
    throw new WriteRefusal('schema-changed', 'Another process has taken this copy over.');
  }
}

/** The commit: one rename, which the folder then keeps. */
export async function commitToken({ token }: StagingFiles, destination: string): Promise<void> {
  await rename(token, destination);
  await syncFile(path.dirname(destination));
}

/** What became of a copy, and stays so: see `Writer.recover`. */
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
    // Taken aside by an earlier look that did not come to its end.
    return isThere(taken);
  }
}

/** The mark goes first, without which nothing is taken for committed, and what was taken aside last. */
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

/** What the system said of a file, without its path. */
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
