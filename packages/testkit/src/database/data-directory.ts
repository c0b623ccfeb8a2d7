import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/**
 * Removes a data directory, also the cluster that is kept elsewhere: a service that runs as root under a closed folder
 * says in the directory where. The server has to have been stopped.
 */
function removeDataDirectory(directory: string): void {
  const pointer = path.join(directory, 'postgres-location.txt');
  const elsewhere = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : undefined;
  for (const folder of [elsewhere, directory])
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Gives new data directories, closed to others, to the tests of a file; all are removed after the last of them. */
export function temporaryDataDirectories(): () => string {
  const parents: string[] = [];
  const within = (parent: string) => path.join(parent, 'data');
  afterAll(() => {
    for (const parent of parents) {
      removeDataDirectory(within(parent));
      rmSync(parent, { recursive: true, force: true });
    }
  });
  return () => {
    const parent = mkdtempSync(path.join(os.tmpdir(), 'svc-data-'));
    parents.push(parent);
    return within(parent);
  };
}
