/**
 * `npm test [-- vitest options]`: runs all tests except the browser, torture and live tiers, against one built-in
 * PostgreSQL. With paths, runs those files in any tier. `--tier=NAME` runs one tier. `--watch` reruns the tests that a
 * change affects.
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

/** Returns true for a path, and false for the value of the previous option. */
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
// Runs vitest in this process: a stop signal reaches vitest, which then stops the database.
await import(new URL('../node_modules/vitest/vitest.mjs', import.meta.url).href);
