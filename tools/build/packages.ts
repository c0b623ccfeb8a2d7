import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A package of the workspace that is published. */
export type PublishedPackage = {
  readonly name: string;
  readonly folder: string;
  /** Names of the workspace packages that it depends on. */
  readonly dependencies: readonly string[];
  /** Build script in the package's folder; undefined for a package that tsc compiles. */
  readonly buildScript: string | undefined;
};

/** Path of a package's build script. */
const ownBuild = 'tools/build.ts';

type Manifest = { name: string; files?: string[]; dependencies?: Record<string, string> };

/** Returns all packages with `files` and code, dependencies first. */
export function publishedPackages(root: string): PublishedPackage[] {
  const packages = globSync('packages/*/package.json', { cwd: root }).flatMap((file) => {
    const manifest = JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Manifest;
    const folder = path.join(root, path.dirname(file));
    const buildScript = existsSync(path.join(folder, ownBuild)) ? ownBuild : undefined;
    const hasCode = buildScript !== undefined || existsSync(path.join(folder, 'src/index.ts'));
    if (!manifest.files || !hasCode) return [];
    const dependencies = Object.keys(manifest.dependencies ?? {});
    return [{ name: manifest.name, folder, dependencies, buildScript }];
  });
  const names = new Set(packages.map(({ name }) => name));
  return inOrder(
    packages.map((one) => ({ ...one, dependencies: one.dependencies.filter((name) => names.has(name)) })),
  );
}

function inOrder(packages: readonly PublishedPackage[]): PublishedPackage[] {
  const ordered: PublishedPackage[] = [];
  let waiting = [...packages].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  while (waiting.length > 0) {
    const done = new Set(ordered.map(({ name }) => name));
    const next = waiting.filter(({ dependencies }) => dependencies.every((name) => done.has(name)));
    if (next.length === 0)
      throw new Error(
        `These packages depend on each other in a circle: ${waiting.map(({ name }) => name).join(', ')}.`,
      );
    ordered.push(...next);
    waiting = waiting.filter((one) => !next.includes(one));
  }
  return ordered;
}
