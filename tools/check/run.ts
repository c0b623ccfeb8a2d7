import { spawn } from 'node:child_process';
import path from 'node:path';

/** Result of a check. The report shows `output` when the check failed. */
export type Outcome = { readonly isGood: boolean; readonly isSkipped?: boolean; readonly output: string };

/** A check that reads the sources without running them. */
export type Check = {
  readonly name: string;
  /** Meaning of a failure, in one line. */
  readonly purpose: string;
  readonly run: (root: string) => Promise<Outcome>;
};

/** Runs a program of an installed package, or a script of this repository, under this Node and returns its output. */
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

/** Returns the outcome of a list of faults: good when it is empty. */
export const outcomeOf = (faults: readonly string[]): Outcome => ({
  isGood: faults.length === 0,
  output: faults.join('\n'),
});
