/**
 * Compares the syntax trees of two commits: `node tools/syntax/same.ts BEFORE AFTER`. Proves that a change of names and
 * comments changes nothing else. Prints each file that differs, with the first difference, and fails if there is one.
 */
import { execFileSync } from 'node:child_process';
import { normalForm } from './normal-form.ts';

const [before, after] = process.argv.slice(2);
if (!before || !after) throw new Error('Usage: node tools/syntax/same.ts BEFORE AFTER');

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });

const changes = git('diff', '--name-status', '--find-renames', before, after)
  .split('\n')
  .map((line) => line.split('\t'))
  .filter(([, path = '']) => /\.(?:ts|tsx|mjs)$/.test(path));

/** Returns the first difference of two files; undefined if only names and comments differ. */
function differenceOf(pathBefore: string, pathAfter: string): string | undefined {
  const old = normalForm(git('show', `${before}:${pathBefore}`), pathBefore.endsWith('x'));
  const now = normalForm(git('show', `${after}:${pathAfter}`), pathAfter.endsWith('x'));
  const at = old.findIndex((token, index) => token !== now[index]);
  if (at < 0 && old.length === now.length) return undefined;
  const shown = (tokens: readonly string[]) => tokens.slice(Math.max(0, at - 5), at + 8).join(' ');
  return `  - ${shown(old)}\n  + ${shown(now)}`;
}

let equal = 0;
let different = 0;
for (const [status = '', pathBefore = '', pathAfter = pathBefore] of changes) {
  const difference = status === 'A' || status === 'D' ? `  ${status}` : differenceOf(pathBefore, pathAfter);
  if (difference === undefined) equal += 1;
  else {
    different += 1;
    console.log(`${pathAfter}\n${difference}`);
  }
}
console.log(
  `${equal} of ${equal + different} changed files differ in comments, layout and local names only.`,
);
if (different > 0) process.exitCode = 1;
