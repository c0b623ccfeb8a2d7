import { spawn } from 'node:child_process';
import {
  chmodSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const packagedNode = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
let folder: string;

/** Copies the files that the bootstrap reads. The npm of the copy records its calls. */
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'svc-bootstrap-'));
  chmodSync(folder, 0o755);
  write('package-lock.json', '{ "first": true }');
  write('package.json', '{ "type": "module" }');
  mkdirSync(path.join(folder, 'tools'));
  for (const one of ['bootstrap.mjs', 'bootstrap'])
    cpSync(path.join(import.meta.dirname, one), path.join(folder, 'tools', one), { recursive: true });
  write('tools/test.ts', `console.log('ran in', process.cwd(), 'with', process.argv.slice(2).join(' '));`);
  write(
    'fake/npm-cli.js',
    `import { appendFileSync, mkdirSync } from 'node:fs';
     mkdirSync('node_modules', { recursive: true });
     appendFileSync('npm-calls.txt', process.argv.slice(2).join(' ') + '\\n');
     process.exit(Number(process.env.NPM_FAILS ?? 0));`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, content: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), content);
}

type Ending = { readonly code: number | null; readonly output: string };

function bootstrap(
  args: readonly string[],
  options: {
    env?: Record<string, string>;
    cwd?: string;
    uid?: number;
    node?: string;
    onOutput?: (pid: number, text: string) => void;
  } = {},
): Promise<Ending> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      options.node ?? process.execPath,
      [path.join(folder, 'tools/bootstrap.mjs'), ...args],
      {
        cwd: options.cwd ?? folder,
        ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          npm_execpath: path.join(folder, 'fake/npm-cli.js'),
          ...options.env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    const take = (chunk: Buffer) => {
      output += chunk.toString();
      if (child.pid !== undefined) options.onOutput?.(child.pid, output);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

function nodeFor(target: string): string {
  const copy = path.join(target, 'node');
  copyFileSync(process.execPath, copy, constants.COPYFILE_FICLONE);
  return copy;
}

const npmCalls = (): boolean => existsSync(path.join(folder, 'npm-calls.txt'));

describe('packages', () => {
  test('are installed once, from the lockfile, without install scripts', async () => {
    const first = await bootstrap(['test']);
    expect(first.output).toContain('Installing packages');
    expect(first.output).toContain('ran in');
    expect(npmCalls()).toBe(true);
    rmSync(path.join(folder, 'npm-calls.txt'));
    const second = await bootstrap(['test']);
    expect(second.code).toBe(0);
    expect(npmCalls()).toBe(false);
  });

  test('are installed again after the lockfile has changed', async () => {
    await bootstrap(['test']);
    rmSync(path.join(folder, 'npm-calls.txt'));
    write('package-lock.json', '{ "second": true }');
    await bootstrap(['test']);
    expect(npmCalls()).toBe(true);
  });

  test('lose their caches when they are installed again, and files of npm remain', async () => {
    await bootstrap(['test']);
    for (const name of ['.vitest-cache/old', '.vite/old', '.bin/tool', 'whole/package.json'])
      write(`node_modules/${name}`, '{}');
    write('package-lock.json', '{ "second": true }');
    await bootstrap(['test']);
    const kept = readdirSync(path.join(folder, 'node_modules')).sort();
    expect(kept).toEqual(['.bin', '.svc-installed', 'whole']);
  });

  test('are installed again after a failed installation, which points to the message of npm', async () => {
    const failed = await bootstrap(['test'], { env: { NPM_FAILS: '1' } });
    expect(failed.code).toBe(1);
    expect(failed.output).toContain('The packages could not be installed: npm said why above.');
    expect(failed.output).not.toContain('ran in');
    expect((await bootstrap(['test'])).output).toContain('Installing packages');
  });

  test('cannot be installed without npm, and the message states this', async () => {
    const { code, output } = await bootstrap(['test'], { env: { npm_execpath: '', PATH: folder } });
    expect(code).toBe(1);
    expect(output).toContain('npm could not be started (spawn npm ENOENT). Install npm');
  });

  test('are not installed in a folder without write access, which the message names', async () => {
    // Root may write everywhere, so the test uses another user. That user may not reach the installed Node: copy it.
    const unprivileged = process.getuid?.() === 0 ? { uid: 65534, node: nodeFor(folder) } : {};
    chmodSync(folder, 0o555);
    const { code, output } = await bootstrap(['test'], unprivileged);
    chmodSync(folder, 0o755);
    expect(code).toBe(1);
    expect(output).toContain(`this user may not write in ${folder}`);
    expect(npmCalls()).toBe(false);
  });
});

describe('a command of the bootstrap', () => {
  test('runs in the repository with its arguments, from any working directory', async () => {
    const { output } = await bootstrap(['test', '--one', 'two'], { cwd: os.tmpdir() });
    expect(output).toContain(`ran in ${folder} with --one two`);
  });

  test.each(['', 'nonsense', 'constructor'])(
    'is refused with the available names if it is "%s"',
    async (name) => {
      const { code, output } = await bootstrap([name]);
      expect(code).toBe(1);
      expect(output).toContain(
        `Unknown command "${name}". There are: start, test, test:unit, test:browser, test:torture, test:live, check`,
      );
    },
  );

  test('ends with its own exit code', async () => {
    write('tools/test.ts', 'process.exit(7);');
    expect((await bootstrap(['test'])).code).toBe(7);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'receives %s and determines its exit code',
    async (signal) => {
      write(
        'tools/test.ts',
        `process.on('${signal}', () => { console.log('told'); process.exit(9); });
       setInterval(() => undefined, 1000); console.log('ready');`,
      );
      let isSent = false;
      const { code, output } = await bootstrap(['test'], {
        onOutput: (pid, text) => {
          if (isSent || !text.includes('ready')) return;
          isSent = true;
          process.kill(pid, signal);
        },
      });
      expect(output).toContain('told');
      expect(code).toBe(9);
    },
  );

  test('that a signal killed ends with the exit code that a shell gives it', async () => {
    write('tools/test.ts', `process.kill(process.pid, 'SIGKILL'); setInterval(() => undefined, 1000);`);
    expect((await bootstrap(['test'])).code).toBe(137);
  });
});

describe('the Node from npm', () => {
  test('is preferred', async () => {
    await bootstrap(['test']);
    write(packagedNode, '#!/bin/sh\necho packaged "$@"\n');
    chmodSync(path.join(folder, packagedNode), 0o755);
    expect((await bootstrap(['test'])).output).toContain('packaged --conditions=svc-source tools/test.ts');
  });

  test('is replaced by an installed Node if it does not run on this machine', async () => {
    await bootstrap(['test']);
    write(packagedNode, '#!/does/not/exist\n');
    chmodSync(path.join(folder, packagedNode), 0o755);
    expect((await bootstrap(['test'])).output).toContain('ran in');
  });
});
