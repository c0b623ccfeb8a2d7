import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/**
 * Removes a data directory and its cluster. A service that runs as root in a closed folder stores the cluster elsewhere
 * and writes that path to `postgres-location.txt`. The caller must stop the server first.
 */
function removeDataDirectory(directory: string): void {
  const pointer = path.join(directory, 'postgres-location.txt');
  const elsewhere = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : undefined;
  for (const folder of [elsewhere, directory])
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Returns a function that returns paths of new data directories in private folders. `afterAll` removes all of them. */
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
