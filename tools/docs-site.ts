import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { writeSitePages } from './docs/site-pages.ts';

/**
 * `npm run docs:site`: builds the documentation with its search as a web site in `docs/site/dist`.
 * `-- --site URL --base PATH` set the address of the site. The site generator has a separate lockfile. The first build
 * installs it.
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
