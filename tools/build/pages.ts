import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { withProcessLock } from '../bootstrap/process-lock.mjs';

/** Build scripts of pages. Each does nothing when its sources have not changed since the last build. */
const builds = ['packages/web/tools/build.ts', 'packages/jobs-dashboard/ui/build.ts'];

/**
 * Builds all pages that changed.
 *
 * @param signal stops the running build.
 * @throws Error with the output of the build.
 */
export async function buildPages(root: string, signal?: AbortSignal): Promise<void> {
  // Two services that start together must not empty the same folder.
  await withProcessLock(path.join(root, '.build-lock'), () => buildEach(root, signal));
}

async function buildEach(root: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  for (const script of builds) {
    const child = spawn(process.execPath, ['--conditions=svc-source', path.join(root, script)], {
      cwd: path.join(root, script.split('/').slice(0, 2).join('/')),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Not the `signal` option of `spawn`: it rejects immediately, and this function waits until the build has ended.
    const kill = (): void => void child.kill('SIGTERM');
    signal?.addEventListener('abort', kill, { once: true });
    const { code, output } = await outcomeOf(child);
    signal?.removeEventListener('abort', kill);
    signal?.throwIfAborted();
    if (code !== 0)
      throw new Error(`${output}\nThe user interface could not be built; the reason stands above.`);
  }
}

function outcomeOf(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
