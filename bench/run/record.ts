import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BenchResult, Figure } from './result.ts';

const root = path.join(import.meta.dirname, '../..');

/** Folder of the results in `bench/README.md`, and below it the folder of other results. */
export const resultsFolder = path.join(root, 'bench/results');
const unrecordedFolder = path.join(resultsFolder, 'unrecorded');

/** Returns a description of the machine and its load at the start of the benchmark. */
export function describeMachine(): string {
  const [load = 0] = os.loadavg();
  return `${os.availableParallelism()} cores, ${process.platform} ${process.arch}, Node.js ${process.versions.node}, load ${load.toFixed(1)} at the start`;
}

/**
 * Writes the result of a run.
 *
 * @param isRecorded true for the folder behind `bench/README.md`; otherwise writes to a folder that git ignores.
 * @returns the path of the file.
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
