import { cpSync, existsSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { locateBinaries } from '../../packages/server/src/platform/db/built-in/binaries.ts';
import { sbomFile, writeSbom } from '../build/sbom.ts';

/**
 * `node tools/image/copy-tree.ts FOLDER`: copies the runtime files of the service from an installed and built tree,
 * without build tools and tests. Afterwards the file system may be read-only.
 */
const root = path.resolve(import.meta.dirname, '../..');
const [target] = process.argv.slice(2);
if (target === undefined || existsSync(target))
  throw new Error('Name a folder that does not exist yet: node tools/image/copy-tree.ts FOLDER');

/** Files and folders that the service reads at run time. Missing ones are skipped. */
const parts = ['package.json', 'src', 'migrations', 'dist', 'pages.js', 'absent'];
const packages = [
  'channels',
  'cli',
  'client',
  'connectors',
  'contract',
  'jobs',
  'jobs-dashboard',
  'pg-wire',
  'server',
  'web',
];
const isPages = (name: string): boolean => name === 'web';

try {
  // Creates the links between the libraries of the built-in server.
  locateBinaries({ unprivilegedUser: false, sharedDirectory: os.tmpdir() });
} catch (error) {
  process.stderr.write(`Without a built-in PostgreSQL: ${(error as Error).message}\n`);
}
/** Returns true for source maps and type declarations of dependencies, which Node does not read: 67 MB. */
const isUnread = (file: string): boolean =>
  /[\\/]node_modules[\\/].*\.(?:[cm]?[jt]s\.map|css\.map|d\.[cm]?ts)$/.test(file);

mkdirSync(target, { recursive: true });
const copy = (from: string): void => {
  if (existsSync(path.join(root, from)))
    cpSync(path.join(root, from), path.join(target, from), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !isUnread(file),
    });
};
for (const name of packages)
  for (const part of parts) if (!(isPages(name) && part === 'src')) copy(`packages/${name}/${part}`);
for (const name of packages) copy(`packages/${name}/node_modules`);
for (const from of ['apps/host/package.json', 'apps/host/src', 'apps/host/node_modules']) copy(from);
for (const from of ['package.json', 'node_modules', 'CHANGELOG.md', 'docs']) copy(from);
await writeSbom(root);
cpSync(path.join(root, sbomFile), path.join(target, path.basename(sbomFile)));
