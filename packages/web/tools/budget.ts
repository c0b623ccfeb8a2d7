import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** The JavaScript that a browser loads for the first page, compressed. */
const firstRouteMaxKb = 175;
/** Any other page's own code, without what the first page brought. */
const routeMaxKb = 231;

type Chunk = {
  readonly file: string;
  readonly name?: string;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
};
type Manifest = Readonly<Record<string, Chunk>>;

const bytesPerKb = 1_000;

function closure(manifest: Manifest, name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const other of manifest[name]?.imports ?? []) closure(manifest, other, seen);
  return seen;
}

/** Sizes of every route of the built UI, and whether one is over its budget. */
export function budgetReport(dist: string): { readonly text: string; readonly isOver: boolean } {
  const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
  const sizes = new Map<string, number>();
  const sizeOf = (name: string): number => {
    const file = manifest[name]?.file ?? '';
    if (!file.endsWith('.js')) return 0;
    const known = sizes.get(file) ?? gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length;
    sizes.set(file, known);
    return known;
  };
  const sum = (names: Iterable<string>) =>
    [...names].reduce((total, name) => total + sizeOf(name), 0) / bytesPerKb;
  const chunkNamed = (wanted: string): string => {
    const found = Object.entries(manifest).find(
      ([, { name, file }]) => name === wanted && file.endsWith('.js'),
    );
    if (!found) throw new Error(`The built UI has no file named ${wanted}.`);
    return found[0];
  };
  const shared = closure(manifest, chunkNamed('start'));
  // Every page but those before the sign-in is drawn inside the frame.
  const framed = closure(manifest, chunkNamed('shell'), new Set(shared));
  const frameKb = sum([...framed].filter((part) => !shared.has(part)));
  const routes = Object.entries(manifest)
    .filter(([name, chunk]) => chunk.isDynamicEntry && name.includes('-page.tsx'))
    .map(([name]) => {
      const own = [...closure(manifest, name)].filter((part) => !framed.has(part));
      return { name: path.basename(name, '.tsx'), kb: sum(own) };
    })
    .sort((a, b) => b.kb - a.kb);
  const entryKb = sum(shared);
  const login = routes.find((route) => route.name === 'login-page')?.kb ?? 0;
  const home = routes.find((route) => route.name === 'home-page')?.kb ?? 0;
  const firstKb = entryKb + frameKb + Math.max(login, home);
  const lines = [
    `first route  ${firstKb.toFixed(1)} kB gzip (at most ${firstRouteMaxKb}), of which shared ${entryKb.toFixed(1)}, frame ${frameKb.toFixed(1)}`,
    ...routes.map((route) => `  + ${route.kb.toFixed(1).padStart(6)} kB  ${route.name}`),
  ];
  const over = routes.filter((route) => route.kb > routeMaxKb);
  if (firstKb > firstRouteMaxKb) lines.push(`Over budget: the first route is ${firstKb.toFixed(1)} kB.`);
  for (const route of over) lines.push(`Over budget: ${route.name} is ${route.kb.toFixed(1)} kB of its own.`);
  return { text: lines.join('\n'), isOver: firstKb > firstRouteMaxKb || over.length > 0 };
}

if (import.meta.main) {
  const report = budgetReport(path.join(import.meta.dirname, '../dist'));
  console.log(report.text);
  process.exitCode = report.isOver ? 1 : 0;
}
