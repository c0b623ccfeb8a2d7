import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Creates a folder for one run. Removing it never rejects: the system cleans its parent folder anyway. */
export async function makeTemporaryFolder(
  parent = os.tmpdir(),
): Promise<{ readonly path: string; readonly remove: () => void }> {
  const folder = await mkdtemp(path.join(parent, 'svc-run-'));
  return {
    path: folder,
    remove: () => void rm(folder, { recursive: true, force: true }).catch(() => undefined),
  };
}
