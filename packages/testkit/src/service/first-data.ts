import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../../..');
const kept = path.join(root, 'node_modules/.cache/svc-first-data');
/** How the names of folders begin that are not complete yet. */
const begun = 'begun-';

/** What a first start makes depends on these: the migrations, and the PostgreSQL that npm brings. */
function keyOfFirstData(): string {
  const hash = createHash('sha256').update(readFileSync(path.join(root, 'package-lock.json')));
  for (const folder of ['packages/server/migrations', 'packages/jobs/src/migrations'])
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (name.endsWith('.sql')) hash.update(name).update(readFileSync(path.join(root, folder, name)));
  return hash.digest('hex').slice(0, 16);
}

/** As it is, with its owners: PostgreSQL runs as a user of its own, whose files these are. */
const copy = (from: string, to: string): void => void execFileSync('cp', ['-a', '--sparse=always', from, to]);

/** Starts the service without the demo, ends it, and hands over its data directory. */
type MakeFirstData = (handOver: (data: string) => void) => Promise<void>;

/** Makes it, unless it is there. @returns where it is kept. */
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
    // Another file of tests was faster.
    if (!existsSync(place)) throw error;
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Puts at this place the data directory that a first start of the service leaves behind. It is made once for a schema:
 * a start that finds it is twice as fast.
 *
 * @param make  makes one where there is none yet
 */
export async function copyFirstData(to: string, make: MakeFirstData): Promise<void> {
  copy(await keptFirstData(make), to);
}
