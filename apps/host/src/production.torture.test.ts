import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDataDirectories } from '@svc/testkit/database/data-directory.ts';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const dataDirectory = temporaryDataDirectories();

/** Returns the production command of the README. */
function documentedCommand(): string {
  const command = /^exec (node .*)$/m.exec(readFileSync(path.join(root, 'README.md'), 'utf8'))?.[1];
  if (command === undefined) throw new Error('The README has no line that begins with "exec node".');
  return command;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

test.skipIf(process.platform !== 'linux')(
  'the command of the README serves after its parent has exited, and drains on SIGTERM',
  async () => {
    // As with nohup and setsid: the shell starts the command, prints its process id and exits immediately.
    const shell = spawn('sh', ['-c', `${documentedCommand()} & echo "pid $!"`], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        npm_lifecycle_event: 'start',
        Svc__DataDirectory: dataDirectory(),
        Svc__Host__Port: '0',
        Svc__Logging__Level: 'warn',
      },
    });
    let output = '';
    for (const stream of [shell.stdout, shell.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    try {
      await expect.poll(() => output, { timeout: 200_000 }).toContain('Ready: ');
      expect(shell.exitCode).toBe(0);
      const origin = /Ready: (http:\/\/[^/\s]+)/.exec(output)?.[1] ?? '';
      expect((await fetch(`${origin}/readyz`)).status).toBe(200);
      const pid = Number(/pid (\d+)/.exec(output)?.[1]);
      process.kill(pid, 'SIGTERM');
      await expect.poll(() => isAlive(pid)).toBe(false);
      expect(output).toContain('Stopping ...');
    } finally {
      if (shell.pid !== undefined && isAlive(Number(/pid (\d+)/.exec(output)?.[1])))
        process.kill(-shell.pid, 'SIGKILL');
    }
  },
  600_000,
);
