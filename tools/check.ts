import { availableParallelism } from 'node:os';
import path from 'node:path';
import { checks } from './check/checks.ts';
import type { Check, Outcome } from './check/run.ts';

/** `npm run check [-- name …]`: runs all static checks of the sources in parallel. */
const root = path.join(import.meta.dirname, '..');
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  const names = checks.map(({ name }) => name).join(', ');
  process.stderr.write(`There is no check named ${unknown.join(', ')}. There are: ${names}.\n`);
  process.exit(1);
}

const waiting = checks.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const failed: { check: Check; outcome: Outcome }[] = [];
const columnWidth = Math.max(...waiting.map(({ name }) => name.length));

async function work(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const startedAt = performance.now();
    const outcome = await check.run(root);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const word = outcome.isSkipped ? 'none' : outcome.isGood ? 'ok' : 'FAILED';
    process.stdout.write(`${word.padEnd(7)}${check.name.padEnd(columnWidth + 2)}${seconds.padStart(5)} s\n`);
    if (!outcome.isGood) failed.push({ check, outcome });
  }
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
for (const { check, outcome } of failed) {
  process.stdout.write(`\n--- ${check.name}: ${check.purpose}\n${outcome.output.trimEnd()}\n`);
}
if (failed.length > 0) process.stdout.write(`\n${failed.length} of the checks failed.\n`);
process.exit(failed.length > 0 ? 1 : 0);
