import type { Dirent, Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { engineOfFile, type FilePolicy, tableNameOf } from '@svc/connectors';
import type { DataFile } from '@svc/contract';

/** Maximum depth of listed files below an allowed folder. */
const depthMax = 3;
/** Entries inspected per listing. The bound limits the response time for large folders. */
const lookedAtMax = 2_000;
const listedMax = 200;

type Walk = { lookedAt: number; isCut: boolean; readonly found: DataFile[] };

/**
 * Lists files that an engine can read below the allowed folders, newest first. A missing folder contributes no file.
 */
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

/** Lists only files that a data source may read: a link to a path outside the folders is skipped. */
async function add({ root, policy, walk }: Within, file: string): Promise<void> {
  if (engineOfFile(file) === undefined) return;
  const real = await policy.resolve(file).catch(() => undefined);
  const stats = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (stats?.isFile()) walk.found.push(presentFile(root, file, stats));
}

export const presentFile = (root: string, file: string, stats: Stats): DataFile => ({
  name: path.relative(root, file),
  path: file,
  engine: engineOfFile(file) ?? 'DuckDB',
  tableName: tableNameOf(file),
  sizeBytes: stats.size,
  modifiedAt: stats.mtime.toISOString(),
});
