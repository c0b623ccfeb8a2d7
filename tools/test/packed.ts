import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type PublishedPackage, publishedPackages } from '../build/packages.ts';
import { buildWhenChanged } from '../build/when-changed.ts';
import { withLock } from './lock.ts';

const root = path.join(import.meta.dirname, '../..');

/** A folder with our packages, installed as a user installs them. */
export type PackedInstallation = {
  readonly folder: string;
  readonly remove: () => void;
};

/**
 * Builds and packs packages with their dependencies in the workspace, and unpacks them into `node_modules` of a new
 * folder. Files outside a package's `files` are missing there. Third-party packages are links into the repository's
 * `node_modules`, so that npm downloads nothing. The folder is outside the repository: Node does not run TypeScript
 * below a `node_modules`.
 *
 * @param options.packages  names such as `@svc/jobs`.
 * @param options.example  a folder that is copied into the installation.
 */
export async function installPacked(options: {
  readonly packages: readonly string[];
  readonly example?: string;
}): Promise<PackedInstallation> {
  const chosen = withDependencies(options.packages, publishedPackages(root));
  const cache = path.join(root, 'node_modules/.cache/svc-packed');
  mkdirSync(cache, { recursive: true });
  // The real path: programs in the folder report their files by it.
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'svc-packed-')));
  try {
    await withLock(path.join(cache, 'build.lock'), async () => {
      await buildWhenChanged(root, chosen);
      pack(chosen, folder);
    });
    linkOthers(folder);
    for (const one of chosen) unpack(one, folder);
    if (options.example) cpSync(options.example, folder, { recursive: true });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function withDependencies(names: readonly string[], all: readonly PublishedPackage[]): PublishedPackage[] {
  const needed = new Set<string>();
  const add = (name: string): void => {
    const one = all.find((candidate) => candidate.name === name);
    if (!one) throw new Error(`There is no published package named ${name}.`);
    needed.add(name);
    for (const dependency of one.dependencies) add(dependency);
  };
  for (const name of names) add(name);
  return all.filter(({ name }) => needed.has(name));
}

/** Links all third-party packages. Our packages have the scope `@svc`. */
function linkOthers(folder: string): void {
  const modules = path.join(root, 'node_modules');
  const target = path.join(folder, 'node_modules');
  mkdirSync(target);
  for (const name of readdirSync(modules)) {
    if (name.startsWith('.') || name === '@svc') continue;
    symlinkSync(path.join(modules, name), path.join(target, name), 'junction');
  }
}

const tarballOf = (folder: string, { name }: PublishedPackage): string | undefined => {
  const prefix = `${name.replace('@', '').replace('/', '-')}-`;
  return readdirSync(folder).find(
    (file) => file.endsWith('.tgz') && /^\d/.test(file.slice(prefix.length)) && file.startsWith(prefix),
  );
};

function pack(packages: readonly PublishedPackage[], target: string): void {
  const npm = process.env['npm_execpath'];
  const [program, first] = npm?.endsWith('npm-cli.js') ? [process.execPath, [npm]] : ['npm', []];
  const workspaces = packages.flatMap(({ name }) => ['--workspace', name]);
  const args = [
    ...first,
    'pack',
    '--ignore-scripts',
    '--silent',
    '--pack-destination',
    target,
    ...workspaces,
  ];
  const result = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`npm pack failed: ${result.error?.message ?? result.stderr}`);
}

function unpack(one: PublishedPackage, folder: string): void {
  const tarball = tarballOf(folder, one);
  if (!tarball) throw new Error(`npm packed nothing for ${one.name}.`);
  const target = path.join(folder, 'node_modules', one.name);
  mkdirSync(target, { recursive: true });
  const args = ['-xzf', path.join(folder, tarball), '--strip-components=1', '-C', target];
  const result = spawnSync('tar', args, { encoding: 'utf8' });
  if (result.status !== 0)
    throw new Error(`${tarball} cannot be unpacked: ${result.error?.message ?? result.stderr}`);
  rmSync(path.join(folder, tarball));
  // Versions that npm installs for this package only.
  const own = path.join(one.folder, 'node_modules');
  if (existsSync(own)) symlinkSync(own, path.join(target, 'node_modules'), 'dir');
}
