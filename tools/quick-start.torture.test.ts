import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
/** Entries that a fresh clone does not contain. */
const made = new Set(['.git', 'node_modules', 'dist', 'data', 'screenshots', 'coverage']);
const startMaxMs = 300_000;
/** Time until the first result, as stated in the README. */
const firstResultMaxMs = 60_000;

/** Commands of the README's first block. */
const quickStart = (
  /^```\n([\s\S]*?)^```$/m.exec(readFileSync(path.join(root, 'README.md'), 'utf8'))?.[1] ?? ''
)
  .split('\n')
  .map((line) => line.replace(/#.*/, '').trim())
  .filter((line) => line !== '');

let copy: string;
let home: string;
const running: ChildProcess[] = [];

/**
 * Creates a fresh copy and an empty home folder. Third-party packages are links to the repository's packages, so that
 * npm downloads nothing. The marker of the installation exists; build output does not.
 */
beforeAll(() => {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'svc-quick-start-')));
  [copy, home] = [path.join(folder, 'svc'), path.join(folder, 'home')];
  mkdirSync(home);
  cpSync(root, copy, { recursive: true, filter: (source) => !made.has(path.basename(source)) });
  link(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const ours = path.join(copy, 'node_modules/@svc');
  mkdirSync(ours);
  for (const workspace of ['packages', 'apps'])
    for (const name of readdirSync(path.join(copy, workspace))) {
      symlinkSync(path.join(copy, workspace, name), path.join(ours, name), 'dir');
      link(
        path.join(root, workspace, name, 'node_modules'),
        path.join(copy, workspace, name, 'node_modules'),
      );
    }
  cpSync(path.join(root, 'node_modules/.svc-installed'), path.join(copy, 'node_modules/.svc-installed'));
}, startMaxMs);

function link(from: string, to: string): void {
  let names: string[];
  try {
    names = readdirSync(from);
  } catch {
    return;
  }
  mkdirSync(to);
  for (const name of names)
    if (name === '.bin' || (!name.startsWith('.') && name !== '@svc'))
      symlinkSync(path.join(from, name), path.join(to, name), 'dir');
}

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.pid === undefined) continue;
    process.kill(-child.pid, 'SIGTERM');
    await once(child, 'exit');
  }
});
afterAll(() => rmSync(path.dirname(copy), { recursive: true, force: true }));

/** Runs a line in the copy, as a user's shell does. */
function shell(line: string): { child: ChildProcess; output: () => string } {
  const child = spawn('sh', ['-c', line], {
    cwd: copy,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: home, PORT: '0', Svc__Demo__InboxPort: '0', CI: '1' },
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => (output += part.toString()));
  return { child, output: () => output };
}

test('the quick start consists of two commands', () => {
  expect(quickStart).toEqual(['npm start', 'npm test']);
});

test(
  'the first command starts the service, prints its address and delivers the first result of the demo',
  async () => {
    const { child, output } = shell(quickStart[0] ?? '');
    const hasEnded = () => child.exitCode !== null;
    await expect
      .poll(() => hasEnded() || /Ready: \S+/.test(output()), { timeout: startMaxMs, interval: 100 })
      .toBe(true);
    const page = /Ready: (http:\S+\/svc)/.exec(output())?.[1];
    if (page === undefined) throw new Error(output());
    expect(await (await fetch(page)).text()).toContain('<title>Svc</title>');
    await expect.poll(output, { timeout: 10_000 }).toMatch(/Demo inbox/);
    const inbox = /(http:\/\/127\.0\.0\.1:\d+\/)\s/.exec(output().split('Demo inbox')[1] ?? '')?.[1];
    await expect
      .poll(async () => (await fetch(String(inbox))).text(), { timeout: firstResultMaxMs, interval: 250 })
      .toContain('Delayed orders');
    expect(readdirSync(copy)).toContain('data');
  },
  startMaxMs + 2 * firstResultMaxMs,
);

test(
  'the second command runs tests, in this case the tests of one file',
  async () => {
    const { child, output } = shell(`${quickStart[1]} -- tools/count-spec-sentences.unit.test.ts`);
    const [code] = await once(child, 'exit');
    expect([code, output()]).toEqual([0, expect.stringMatching(/Tests.* passed/)]);
  },
  startMaxMs,
);

test(
  'the help command lists the other commands',
  async () => {
    const { child, output } = shell('npm run svc -- --help');
    const [code] = await once(child, 'exit');
    expect([code, output()]).toEqual([0, expect.stringContaining('backup')]);
  },
  startMaxMs,
);
