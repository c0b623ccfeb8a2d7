/**
 * `npm test [-- vitest options]`: all tests but those of the browser, torture and live tiers, against one built-in
 * PostgreSQL. With paths: those files, whatever their tier. `--tier=NAME` runs one tier; `--watch` stays and runs again
 * what a change touches.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { everydayTiers, tiers } from './test/tiers.ts';

const given = process.argv.slice(2);
const tierOption = '--tier=';
const tier = given.find((argument) => argument.startsWith(tierOption))?.slice(tierOption.length);
if (tier !== undefined && !Object.hasOwn(tiers, tier)) {
  process.stderr.write(`There is no tier "${tier}". There are: ${Object.keys(tiers).join(', ')}.\n`);
  process.exit(1);
}
const isWatching = given.includes('--watch');
const options = given.filter((argument) => argument !== '--watch' && !argument.startsWith(tierOption));

/** A path, and not the value of the option before it. */
const isPath = (argument: string, index: number): boolean => {
  if (argument.startsWith('-')) return false;
  const before = options[index - 1];
  return existsSync(argument) || before === undefined || !before.startsWith('-') || before.includes('=');
};

const chosen = tier !== undefined ? [tier] : options.some(isPath) ? Object.keys(tiers) : everydayTiers;
process.argv.splice(
  2,
  given.length,
  isWatching ? 'watch' : 'run',
  ...chosen.map((name) => `--project=${name}`),
  ...options,
);
// Tests start many processes of the same sources.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve(import.meta.dirname, '../node_modules/.cache/compiled');
// In this process, so that whoever stops it stops vitest, which then stops the database.
await import(new URL('../node_modules/vitest/vitest.mjs', import.meta.url).href);
