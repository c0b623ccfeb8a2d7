import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BenchResult, Figure } from './result.ts';

const root = path.join(import.meta.dirname, '../..');

/** Where results are kept that stand in `bench/README.md`, and where those of other runs are. */
export const resultsFolder = path.join(root, 'bench/results');
const unrecordedFolder = path.join(resultsFolder, 'unrecorded');

/** The machine and what it had to do when the benchmark began. */
export function describeMachine(): string {
  const [load = 0] = os.loadavg();
  return `${os.availableParallelism()} cores, ${process.platform} ${process.arch}, Node.js ${process.versions.node}, load ${load.toFixed(1)} at the start`;
}

/**
 * Writes the result of a run.
 *
 * @param isRecorded beside `bench/README.md`, which is made from it; otherwise into a folder that git ignores.
 * @returns the file.
 */
export function writeResult(
  measured: { readonly name: string; readonly purpose: string; readonly machine: string },
  figures: readonly Figure[],
  isRecorded: boolean,
): string {
  const { name, purpose, machine } = measured;
  const date = new Date().toISOString().slice(0, 10);
  const result: BenchResult = { name, purpose, commit: currentCommit(), date, machine, figures };
  const folder = isRecorded ? resultsFolder : unrecordedFolder;
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}.json`);
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  return path.relative(root, file);
}

function currentCommit(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();
  return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+');
}
