import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
/** Folders of migration files, by schema. */
const folders = { svc: 'packages/server/migrations', svc_jobs: 'packages/jobs/src/migrations' } as const;
/**
 * Last migration files before version 0.1.0. Until the first release, a commit with exactly these files is the previous
 * version.
 */
const unreleasedBase = { svc: '0200-provisioning-runs.sql', svc_jobs: '0012-scheduler-role.sql' } as const;

/** A version that runs against the migrations of this checkout. */
export type PreviousVersion = { readonly name: string; readonly commit: string };

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

const migrationsAt = (commit: string, folder: string): string[] =>
  git('ls-tree', '--name-only', commit, `${folder}/`)
    .split('\n')
    .map((file) => path.basename(file))
    .filter((name) => /^\d{4}-.+\.sql$/.test(name));

const isUnreleasedBase = (commit: string): boolean =>
  Object.entries(folders).every(
    ([schema, folder]) =>
      migrationsAt(commit, folder).toSorted().at(-1) === Reflect.get(unreleasedBase, schema),
  );

/**
 * Finds the newest released version. Before the first release, finds the newest commit before the unreleased
 * migrations. Undefined where the history does not contain it, as in a shallow clone or a package without history.
 */
export function findPreviousVersion(): PreviousVersion | undefined {
  try {
    const [tag] = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-v:refname').split('\n');
    if (tag) return { name: tag, commit: git('rev-parse', `${tag}^{commit}`) };
    const [added] = git(
      'log',
      '--diff-filter=A',
      '--format=%H',
      'HEAD',
      '--',
      ...Object.values(folders),
    ).split('\n');
    if (!added) return undefined;
    const candidates = git('rev-list', '--topo-order', 'HEAD').split('\n');
    const commit = candidates.find(isUnreleasedBase);
    return commit === undefined ? undefined : { name: commit.slice(0, 12), commit };
  } catch {
    return undefined;
  }
}

/** Links the installed packages. Workspace packages come from the other checkout. */
function linkPackages(folder: string, from = 'node_modules'): void {
  const source = path.join(root, from);
  if (!existsSync(source)) return;
  const target = path.join(folder, from);
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(source)) {
    if (name === '@svc' || name.startsWith('.vite')) continue;
    symlinkSync(path.join(source, name), path.join(target, name));
  }
}

/** Checks a version out into a new folder, with the packages that are installed here. The caller must remove it. */
export function checkOut({ commit }: PreviousVersion): {
  readonly folder: string;
  readonly remove: () => void;
} {
  const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'svc-previous-')), 'checkout');
  git('worktree', 'add', '--detach', folder, commit);
  linkPackages(folder);
  mkdirSync(path.join(folder, 'node_modules/@svc'), { recursive: true });
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(path.join(folder, group))) {
      linkPackages(folder, path.join(group, name, 'node_modules'));
      symlinkSync(path.join(folder, group, name), path.join(folder, 'node_modules/@svc', name));
    }
  }
  return {
    folder,
    remove: () => {
      git('worktree', 'remove', '--force', folder);
      rmSync(path.dirname(folder), { recursive: true, force: true });
    },
  };
}

/** Returns the names of a version's migrations, by schema. */
export const migrationsOf = ({ commit }: PreviousVersion) => ({
  svc: new Set(migrationsAt(commit, folders.svc)),
  svc_jobs: new Set(migrationsAt(commit, folders.svc_jobs)),
});
