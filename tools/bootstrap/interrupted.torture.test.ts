import { type ChildProcess, spawn } from 'node:child_process';
import {
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from './processes.mjs';

const packagedNode = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
let folder: string;
const started: ChildProcess[] = [];
const inFolder = (file: string): string => path.join(folder, file);
const pidIn = (file: string): number => Number(readFileSync(inFolder(file), 'utf8'));

function write(file: string, content: string): void {
  mkdirSync(path.dirname(inFolder(file)), { recursive: true });
  writeFileSync(inFolder(file), content);
}

/** Copies the files that the bootstrap reads. The npm of the copy treats every existing package as complete, as npm does. */
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'svc-interrupted-'));
  write('package-lock.json', '{}');
  write('package.json', '{ "type": "module", "workspaces": ["packages/*"] }');
  mkdirSync(inFolder('packages/web'), { recursive: true });
  mkdirSync(inFolder('tools'));
  for (const one of ['bootstrap.mjs', 'bootstrap'])
    cpSync(path.join(import.meta.dirname, '..', one), inFolder(`tools/${one}`), { recursive: true });
  write(
    'fake/npm-cli.js',
    `import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
     import { dirname } from 'node:path';
     for (const package_ of ['node_modules/one', 'packages/web/node_modules/two']) {
       if (existsSync(package_ + '/package.json')) continue;
       mkdirSync(package_, { recursive: true });
       writeFileSync(package_ + '/package.json', '{}');
       if (process.env.NPM_HANGS) continue;
       writeFileSync(package_ + '/index.js', '');
     }
     if (process.env.NPM_ENDS_STARTER) {
       const stat = readFileSync('/proc/' + process.ppid + '/stat', 'utf8');
       process.kill(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), 'SIGTERM');
     }
     if (process.env.NPM_BRINGS_NODE) {
       mkdirSync(dirname(process.env.NPM_BRINGS_NODE), { recursive: true });
       symlinkSync(process.execPath, process.env.NPM_BRINGS_NODE);
     }
     if (process.env.NPM_HANGS) {
       writeFileSync('npm-is-at-it', String(process.pid));
       setInterval(() => undefined, 1000);
     }`,
  );
  write('tools/test.ts', 'console.log("went on");');
  write(
    'tools/start.ts',
    `import { renameSync, writeFileSync } from 'node:fs';
     const stop = () => setTimeout(() => { writeFileSync('drained', ''); process.exit(0); }, 200);
     process.on('disconnect', stop).on('SIGTERM', stop).on('SIGINT', stop);
     process.channel?.unref();
     setInterval(() => undefined, 1000);
     writeFileSync('new', String(process.pid));
     renameSync('new', 'service-runs');`,
  );
});
afterEach(() => {
  for (const child of started.splice(0)) if (child.pid !== undefined) kill(-child.pid, 'SIGKILL');
  for (const file of ['npm-is-at-it', 'service-runs'])
    if (existsSync(inFolder(file))) kill(pidIn(file), 'SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

/** Starts a process as the leader of a new process group, as a shell with job control does. */
function start(program: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, npm_config_update_notifier: 'false', ...env },
  });
  started.push(child);
  return child;
}

const fakeNpm = (): Record<string, string> => ({ npm_execpath: inFolder('fake/npm-cli.js') });
const bootstrap = (name: string, env: Record<string, string> = {}): ChildProcess =>
  start(process.execPath, [inFolder('tools/bootstrap.mjs'), name], { ...fakeNpm(), ...env });

function outcomeOf(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.on('close', (code) => resolve({ code, output }));
  });
}

const expectWhole = (): void => {
  for (const file of ['node_modules/one/index.js', 'packages/web/node_modules/two/index.js'])
    expect(existsSync(inFolder(file)), file).toBe(true);
};

describe('an installation that was interrupted', () => {
  const targets = {
    'the bootstrap': (child: ChildProcess) => child.pid ?? 0,
    'its group': (child: ChildProcess) => -(child.pid ?? 0),
    npm: () => pidIn('npm-is-at-it'),
  };
  test.each(
    (['SIGINT', 'SIGTERM', 'SIGKILL'] as const).flatMap((signal) =>
      Object.keys(targets).map((target) => ({ signal, target: target as keyof typeof targets })),
    ),
  )('is completed by the next start after $signal to $target', async ({ signal, target }) => {
    const first = bootstrap('test', { NPM_HANGS: '1' });
    const ended = outcomeOf(first);
    await expect.poll(() => existsSync(inFolder('npm-is-at-it'))).toBe(true);
    const npm = pidIn('npm-is-at-it');
    kill(targets[target](first), signal);
    // The output of a killed bootstrap stays open until its npm ends.
    if (!(signal === 'SIGKILL' && target === 'the bootstrap')) expect((await ended).code).not.toBe(0);
    const { code, output } = await outcomeOf(bootstrap('test'));
    expect(output).toContain('went on');
    expect(output).toContain('An earlier installation did not reach its end');
    expect(code).toBe(0);
    expect(isAlive(npm)).toBe(false);
    expectWhole();
  });

  test('is completed by the next start after a kill between its end and its mark', async () => {
    await outcomeOf(bootstrap('test'));
    rmSync(inFolder('node_modules/.svc-installed'));
    rmSync(inFolder('node_modules/one/index.js'));
    expect((await outcomeOf(bootstrap('test'))).code).toBe(0);
    expectWhole();
  });

  test('continues under the new Node if it replaced the Node that ran the bootstrap', async () => {
    const own = inFolder('node_modules/.bin/node');
    mkdirSync(path.dirname(own), { recursive: true });
    copyFileSync(process.execPath, own, constants.COPYFILE_FICLONE);
    const env = { ...fakeNpm(), npm_node_execpath: process.execPath, NPM_BRINGS_NODE: packagedNode };
    const { code, output } = await outcomeOf(start(own, [inFolder('tools/bootstrap.mjs'), 'test'], env));
    // The installation removed the Node that ran the bootstrap. The Node of the new tree runs the command.
    expect(output).toContain('went on');
    expect(code).toBe(0);
    expectWhole();
  });

  test('is completed by the next start after a kill while another lockfile is installed over a complete tree', async () => {
    await outcomeOf(bootstrap('test'));
    write('package-lock.json', '{ "second": true }');
    const second = bootstrap('test', { NPM_HANGS: '1' });
    await expect.poll(() => existsSync(inFolder('npm-is-at-it'))).toBe(true);
    rmSync(inFolder('node_modules/one/index.js'));
    kill(-(second.pid ?? 0), 'SIGKILL');
    // Restores the lockfile of the earlier marker.
    write('package-lock.json', '{}');
    expect((await outcomeOf(bootstrap('test'))).code).toBe(0);
    expectWhole();
  });

  test('does not block the next start if its process died while it took the lock', async () => {
    write('.install-lock', '');
    expect((await outcomeOf(bootstrap('test'))).code).toBe(0);
    // A lock with the id of a running process and the start time of another one.
    rmSync(inFolder('node_modules'), { recursive: true });
    write('.install-lock', `${process.pid} 1`);
    expect((await outcomeOf(bootstrap('test'))).code).toBe(0);
  });
});

describe('a service that npm started', () => {
  // A shell with more than one command stays between npm and the bootstrap. Otherwise it becomes the bootstrap.
  const scripts = {
    'a shell that stays': 'node tools/bootstrap.mjs start; exit $?',
    'a shell that goes': 'exec node tools/bootstrap.mjs start',
  };
  const children = (pid: number): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const targets = {
    npm: (npm: number) => npm,
    'what npm started': (npm: number) => children(npm)[0] ?? 0,
    'the group': (npm: number) => -npm,
  };
  const cases = Object.keys(scripts).flatMap((shell) =>
    Object.keys(targets).flatMap((target) =>
      (['SIGINT', 'SIGTERM', 'SIGKILL'] as const)
        // SIGKILL to the whole group leaves no process to drain.
        .filter((signal) => !(target === 'the group' && signal === 'SIGKILL'))
        // A shell that waits for its command ignores SIGINT, so no process would end.
        .filter((signal) => signal !== 'SIGINT' || target === 'the group' || shell === 'a shell that goes')
        .map((signal) => ({
          shell: shell as keyof typeof scripts,
          target: target as keyof typeof targets,
          signal,
        })),
    ),
  );
  test.skipIf(process.platform !== 'linux').each(cases)(
    'drains and stops after $signal to $target, with $shell',
    async ({ shell, target, signal }) => {
      await outcomeOf(bootstrap('test'));
      write(
        'package.json',
        JSON.stringify({ type: 'module', workspaces: [], scripts: { start: scripts[shell] } }),
      );
      const npm = start('npm', ['start']);
      await expect.poll(() => existsSync(inFolder('service-runs'))).toBe(true);
      const service = pidIn('service-runs');
      kill(targets[target](npm.pid ?? 0), signal);
      await expect.poll(() => existsSync(inFolder('drained'))).toBe(true);
      await expect.poll(() => isAlive(service)).toBe(false);
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'stops if its shell ends in the last moment of the installation',
    async () => {
      write(
        'package.json',
        JSON.stringify({ type: 'module', workspaces: [], scripts: { start: scripts['a shell that stays'] } }),
      );
      const command = `npm_lifecycle_event=start node tools/bootstrap.mjs start; exit $?`;
      const ended = outcomeOf(start('sh', ['-c', command], { ...fakeNpm(), NPM_ENDS_STARTER: '1' }));
      // The output stays open until all started processes have ended.
      await ended;
      if (existsSync(inFolder('service-runs'))) expect(isAlive(pidIn('service-runs'))).toBe(false);
      expectWhole();
    },
  );

  test('drains if only the bootstrap is killed', async () => {
    const child = bootstrap('start');
    await expect.poll(() => existsSync(inFolder('service-runs'))).toBe(true);
    kill(child.pid ?? 0, 'SIGKILL');
    await expect.poll(() => existsSync(inFolder('drained'))).toBe(true);
  });
});
