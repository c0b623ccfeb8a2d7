import { spawn } from 'node:child_process';
import path from 'node:path';

/** What a check found. `output` is shown when it is not good. */
export type Outcome = { readonly isGood: boolean; readonly isSkipped?: boolean; readonly output: string };

/** One thing that can be said about the sources without running them. */
export type Check = {
  readonly name: string;
  /** What it means when it fails, in one line. */
  readonly purpose: string;
  readonly run: (root: string) => Promise<Outcome>;
};

/** Runs a program of an installed package, or a script of ours, under this Node and keeps what it prints. */
export function runProgram(root: string, script: string, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--conditions=svc-source', path.join(root, script), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ isGood: code === 0, output: Buffer.concat(chunks).toString('utf8') }),
    );
  });
}

/** Makes an outcome of a list of faults. */
export const outcomeOf = (faults: readonly string[]): Outcome => ({
  isGood: faults.length === 0,
  output: faults.join('\n'),
});
