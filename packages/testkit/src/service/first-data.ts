import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../../..');
const kept = path.join(root, 'node_modules/.cache/svc-first-data');
/** Name prefix of incomplete folders. */
const begun = 'begun-';

/** Returns a hash of the inputs of a first start: the migrations, and the lock file, which pins PostgreSQL. */
function keyOfFirstData(): string {
  const hash = createHash('sha256').update(readFileSync(path.join(root, 'package-lock.json')));
  for (const folder of ['packages/server/migrations', 'packages/jobs/src/migrations'])
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (name.endsWith('.sql')) hash.update(name).update(readFileSync(path.join(root, folder, name)));
  return hash.digest('hex').slice(0, 16);
}

/** Copies a folder with the owners of its files, because the cluster belongs to the user that PostgreSQL runs as. */
const copy = (from: string, to: string): void => void execFileSync('cp', ['-a', '--sparse=always', from, to]);

/** Starts the service without the demo, stops it, and passes its data directory to `handOver`. */
type MakeFirstData = (handOver: (data: string) => void) => Promise<void>;

/** Creates the data directory unless the cache contains it. @returns its path in the cache. */
async function keptFirstData(make: MakeFirstData): Promise<string> {
  const place = path.join(kept, keyOfFirstData());
  if (!existsSync(place)) await make((data) => keep(data, place));
  return place;
}

function keep(data: string, place: string): void {
  const key = path.basename(place);
  mkdirSync(kept, { recursive: true });
  for (const name of readdirSync(kept))
    if (name !== key && !name.startsWith(begun)) rmSync(path.join(kept, name), { recursive: true });
  const folder = mkdtempSync(path.join(kept, begun));
  copy(data, path.join(folder, key));
  try {
    renameSync(path.join(folder, key), place);
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(place)) throw error;
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Copies the data directory of a first start of the service to a path. The cache contains one per schema: a start with
 * the copy is twice as fast.
 *
 * @param make  creates the data directory if the cache does not contain it
 */
export async function copyFirstData(to: string, make: MakeFirstData): Promise<void> {
  copy(await keptFirstData(make), to);
}
