import path from 'node:path';
import { buildPackage } from './build/build-package.ts';
import { publishedPackages } from './build/packages.ts';
import { sbomFile, writeSbom } from './build/sbom.ts';

/** `npm run build [-- name …]`: builds published packages into `dist`. Without names, also writes the bill of materials. */
const root = path.join(import.meta.dirname, '..');
const wanted = process.argv.slice(2);
for (const one of publishedPackages(root)) {
  if (wanted.length > 0 && !wanted.includes(one.name)) continue;
  const startedAt = performance.now();
  try {
    await buildPackage(root, one);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
  process.stdout.write(`built ${one.name} in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`);
}
if (wanted.length === 0) process.stdout.write(`wrote ${sbomFile}: ${await writeSbom(root)} components\n`);
