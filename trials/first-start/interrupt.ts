import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * `node --conditions=svc-source trials/first-start/interrupt.ts [--once] [moment …]`: interrupts `npm start` of a fresh
 * clone at each moment. The signals are SIGINT, SIGTERM and SIGKILL, and the targets npm, its shell and the group, in
 * turn. The next start must become ready, and after SIGTERM to it no process may remain. Takes a minute per
 * interruption and needs the npm registry. `--once`: one signal for each moment.
 */
const root = path.resolve(import.meta.dirname, '../..');
const signals = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;
const targets = ['npm', 'shell', 'group'] as const;
const lookMs = 20;
const waitMaxMs = 300_000;

const count = (clone: string, pattern: string): number => globSync(pattern, { cwd: clone }).length;
type Turn = 'first' | 'second';
const said = (clone: string, turn: Turn, text: string): boolean =>
  existsSync(`${clone}.${turn}`) && readFileSync(`${clone}.${turn}`, 'utf8').includes(text);
const clusterOf = (clone: string): string => {
  const pointer = path.join(clone, 'data/postgres-location.txt');
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : path.join(clone, 'data/postgres');
};
const hasEntry = (folder: string, pattern: RegExp): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => pattern.test(name));

/** Conditions that detect each moment. */
const moments: Readonly<Record<string, (clone: string) => boolean>> = {
  'early in the install': (clone) => said(clone, 'first', 'Installing packages'),
  'packages are extracted': (clone) => count(clone, 'node_modules/*/package.json') > 100,
  'between install and mark': (clone) => existsSync(path.join(clone, 'node_modules/.package-lock.json')),
  'web build': (clone) => existsSync(path.join(clone, 'packages/web/.build-lock')),
  'pages half-way': (clone) => existsSync(path.join(clone, 'packages/web/dist/index.html')),
  initdb: (clone) => hasEntry(clusterOf(clone), /^data\.\d+$/),
  'server start': (clone) => existsSync(path.join(clusterOf(clone), 'data/postmaster.pid')),
  migrations: (clone) => existsSync(path.join(clone, 'data/secrets/encryption-key')),
};

const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  Svc__DataDirectory: 'data',
  Svc__Host__Port: '0',
  Svc__Demo__InboxPort: '0',
});

function start(clone: string, turn: Turn): ChildProcess {
  const log = openSync(`${clone}.${turn}`, 'w');
  return spawn('npm', ['start'], {
    cwd: clone,
    detached: true,
    env: environment(),
    stdio: ['ignore', log, log],
  });
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + waitMaxMs;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain: ${what}`);
    await delay(lookMs);
  }
}

/** Returns the processes that work in the clone or for it, including the database's servers. */
function processesOf(clone: string): string[] {
  const all = execFileSync('ps', ['axo', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  const cluster = clusterOf(clone);
  return all.filter((line) => {
    const [pid = '', state = '', ...args] = line.trim().split(/\s+/);
    if (pid === '' || state.startsWith('Z') || Number(pid) === process.pid) return false;
    return args.join(' ').includes(clone) || args.join(' ').includes(cluster) || folderOf(pid) === clone;
  });
}

function folderOf(pid: string): string | undefined {
  try {
    return execFileSync('readlink', [`/proc/${pid}/cwd`], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

function numberOf(target: (typeof targets)[number], npm: number): number {
  if (target === 'group') return -npm;
  if (target === 'npm') return npm;
  const children = readFileSync(`/proc/${npm}/task/${npm}/children`, 'utf8').trim().split(' ');
  return Number(children[0]);
}

type Interruption = { moment: string; signal: NodeJS.Signals; target: (typeof targets)[number] };

async function attempt({ moment, signal, target }: Interruption): Promise<string | undefined> {
  const clone = path.join(mkdtempSync(path.join(os.tmpdir(), 'svc-first-start-')), 'clone');
  execFileSync('git', ['clone', '-q', root, clone]);
  try {
    const first = start(clone, 'first');
    const npm = first.pid ?? 0;
    await until(moment, () => moments[moment]?.(clone) === true || said(clone, 'first', 'Ready:'));
    process.kill(numberOf(target, npm), signal);
    // A shell that waits for its command ignores SIGINT. The first start would continue, so SIGTERM ends it.
    const isIgnored = signal === 'SIGINT' && target !== 'group';
    if (isIgnored) process.kill(-npm, 'SIGTERM');
    await delay(100);
    const second = start(clone, 'second');
    await until('the second start', () => said(clone, 'second', 'Ready:') || second.exitCode !== null);
    if (second.exitCode !== null) return readFileSync(`${clone}.second`, 'utf8').slice(-600);
    process.kill(second.pid ?? 0, 'SIGTERM');
    await until('everything has stopped', () => processesOf(clone).length === 0);
    return undefined;
  } catch (error) {
    return `${(error as Error).message}\n${processesOf(clone).join('\n')}`;
  } finally {
    for (const line of processesOf(clone)) endProcess(Number.parseInt(line, 10));
    rmSync(path.dirname(clone), { recursive: true, force: true, maxRetries: 10 });
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

const isOnce = process.argv.includes('--once');
const wanted = process.argv.slice(2).filter((argument) => argument !== '--once');
const chosen = Object.keys(moments).filter((moment) => wanted.length === 0 || wanted.includes(moment));
let failures = 0;
for (const [index, moment] of chosen.entries()) {
  // The targets rotate, so that all nine pairs of signal and target occur. Each moment gets every signal.
  for (const [turn, signal] of signals.entries()) {
    if (isOnce && turn !== index % signals.length) continue;
    const target = targets[(index + turn) % targets.length] ?? 'group';
    const failure = await attempt({ moment, signal, target });
    failures += failure === undefined ? 0 : 1;
    console.log(`${moment}: ${signal} to ${target}: ${failure ?? 'recovered'}`);
  }
}
process.exitCode = failures === 0 ? 0 : 1;
