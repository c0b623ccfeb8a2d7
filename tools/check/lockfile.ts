import { readFileSync } from 'node:fs';
import path from 'node:path';

type Manifest = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
type LockedPackage = Manifest & {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
};
type Lockfile = {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

const dependencyKinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/**
 * Returns the faults of the lockfile: an old format, a package without a content hash, a registry address, or a
 * manifest that does not match. Packages come from the registry in npm's configuration.
 */
export function findLockfileFaults(root: string): string[] {
  const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const lockfile = readJson('package-lock.json') as Lockfile;
  const faults =
    lockfile.lockfileVersion === 3 ? [] : [`The lockfile has version ${lockfile.lockfileVersion}, not 3.`];
  for (const [place, locked] of Object.entries(lockfile.packages)) {
    if (place.includes('node_modules/')) faults.push(...faultsOfPackage(place, locked));
    else
      faults.push(...faultsOfManifest(place, locked, readJson(path.join(place, 'package.json')) as Manifest));
  }
  return faults;
}

function faultsOfPackage(place: string, locked: LockedPackage): string[] {
  if (locked.link) return [];
  const faults: string[] = [];
  if (!locked.integrity && !locked.inBundle) faults.push(`${place} has no integrity.`);
  if (locked.resolved) faults.push(`${place} names where it came from: ${locked.resolved}`);
  return faults;
}

function faultsOfManifest(place: string, locked: LockedPackage, manifest: Manifest): string[] {
  const sorted = (entries: Readonly<Record<string, string>> = {}) =>
    JSON.stringify(Object.entries(entries).sort(([a], [b]) => a.localeCompare(b)));
  return dependencyKinds
    .filter((kind) => sorted(locked[kind]) !== sorted(manifest[kind]))
    .map(
      (kind) => `${path.join(place, 'package.json')} has other ${kind} than the lockfile: run npm install.`,
    );
}
