import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildPackage } from './build-package.ts';
import type { PublishedPackage } from './packages.ts';

/** Builds each package whose sources, or whose dependencies' sources, changed since the last build. */
export async function buildWhenChanged(root: string, packages: readonly PublishedPackage[]): Promise<void> {
  const marks = path.join(root, 'node_modules/.cache/svc-built');
  mkdirSync(marks, { recursive: true });
  const hashes = new Map<string, string>();
  for (const one of packages) {
    if (one.buildScript !== undefined) {
      // The build script checks for changes.
      await buildPackage(root, one);
      continue;
    }
    const hash = hashOf(one, hashes);
    hashes.set(one.name, hash);
    const mark = path.join(marks, path.basename(one.folder));
    const isBuilt =
      existsSync(mark) &&
      readFileSync(mark, 'utf8') === hash &&
      existsSync(path.join(one.folder, 'dist/index.js'));
    if (isBuilt) continue;
    await buildPackage(root, one);
    writeFileSync(mark, hash);
  }
}

function hashOf({ folder, dependencies }: PublishedPackage, hashByName: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256').update(readFileSync(path.join(folder, 'package.json')));
  for (const file of globSync('src/**/*.*', { cwd: folder }).sort()) {
    hash.update(`\n${file}\n`).update(readFileSync(path.join(folder, file)));
  }
  for (const name of dependencies) hash.update(hashByName.get(name) ?? name);
  return hash.digest('hex');
}
