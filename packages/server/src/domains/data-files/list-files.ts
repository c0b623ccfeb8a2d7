import type { Dirent, Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { engineOfFile, type FilePolicy, tableNameOf } from '@svc/connectors';
import type { DataFile } from '@svc/contract';

/** How deep below an allowed folder files are looked for. */
const depthMax = 3;
/** Entries that one listing looks at: a folder with a million files answers as fast as a small one. */
const lookedAtMax = 2_000;
const listedMax = 200;

type Walk = { lookedAt: number; isCut: boolean; readonly found: DataFile[] };

/** Files below the allowed folders that an engine reads, newest first. A folder that is not there has none. */
export async function listFiles(
  folders: readonly string[],
  policy: FilePolicy,
): Promise<{ readonly items: DataFile[]; readonly isCut: boolean }> {
  const walk: Walk = { lookedAt: 0, isCut: false, found: [] };
  for (const folder of folders) await walkFolder({ root: folder, policy, walk }, folder, depthMax);
  walk.found.sort((a, b) => b.modifiedAt.localeCompare(a.modifiedAt) || a.path.localeCompare(b.path));
  return {
    items: walk.found.slice(0, listedMax),
    isCut: walk.isCut || walk.found.length > listedMax,
  };
}

type Within = { readonly root: string; readonly policy: FilePolicy; readonly walk: Walk };

async function walkFolder(within: Within, folder: string, depth: number): Promise<void> {
  const { walk } = within;
  for (const entry of await entriesOf(folder)) {
    if (walk.lookedAt >= lookedAtMax) {
      walk.isCut = true;
      return;
    }
    walk.lookedAt += 1;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && depth > 1) await walkFolder(within, file, depth - 1);
    else if (entry.isFile() || entry.isSymbolicLink()) await add(within, file);
  }
}

const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).then(
    (entries) => entries.filter(({ name }) => !name.startsWith('.')),
    () => [],
  );

/** Only what a data source could read is listed: a link that leads outside is not. */
async function add({ root, policy, walk }: Within, file: string): Promise<void> {
  if (engineOfFile(file) === undefined) return;
  const real = await policy.resolve(file).catch(() => undefined);
  const stats = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (stats?.isFile()) walk.found.push(presentFile(root, file, stats));
}

/** What is told of a file. */
export const presentFile = (root: string, file: string, stats: Stats): DataFile => ({
  name: path.relative(root, file),
  path: file,
  engine: engineOfFile(file) ?? 'DuckDB',
  tableName: tableNameOf(file),
  sizeBytes: stats.size,
  modifiedAt: stats.mtime.toISOString(),
});
