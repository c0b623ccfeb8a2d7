import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A fresh folder of one run. Removing it never rejects: it lies where the system cleans up anyway. */
export async function makeTemporaryFolder(
  parent = os.tmpdir(),
): Promise<{ readonly path: string; readonly remove: () => void }> {
  const folder = await mkdtemp(path.join(parent, 'svc-run-'));
  return {
    path: folder,
    remove: () => void rm(folder, { recursive: true, force: true }).catch(() => undefined),
  };
}
