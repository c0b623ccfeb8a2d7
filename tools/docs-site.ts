import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { writeSitePages } from './docs/site-pages.ts';

/**
 * `npm run docs:site`: the documentation as a web site in `docs/site/dist`, with its search. `-- --site URL --base PATH`
 * say where it will be served. The generator is not among the packages of the product: it has a lockfile of its own, and
 * is installed the first time.
 */
const site = path.join(import.meta.dirname, '../docs/site');

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, {
    cwd: site,
    stdio: 'inherit',
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(path.join(site, 'node_modules/.package-lock.json')))
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
writeSitePages(path.join(site, 'made'));
run(process.execPath, [
  path.join(site, 'node_modules/astro/bin/astro.mjs'),
  'build',
  ...process.argv.slice(2),
]);
process.stdout.write(`The site is in ${path.relative(process.cwd(), path.join(site, 'dist'))}.\n`);
