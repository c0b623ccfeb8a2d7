// Runs on any Node from 20 on, with nothing installed: installs what the lockfile says, then hands over to
// Node 24 (which npm brings as a package) for the real work. Plain JavaScript, no dependencies.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const modules = path.join(root, 'node_modules');
const marker = path.join(modules, '.svc-installed');
const nodeMajorMin = 24;
const ownMajor = Number(process.versions.node.split('.')[0]);
const isWindows = process.platform === 'win32';

/** What each command runs under Node 24. */
const commands = {
  start: ['tools/start.ts'],
  test: ['tools/test.ts'],
  'test:unit': ['tools/test.ts', '--tier=unit'],
  'test:browser': ['tools/test.ts', '--tier=browser'],
  'test:torture': ['tools/test.ts', '--tier=torture'],
  check: ['tools/check.ts'],
  bench: ['tools/bench.ts'],
  build: ['tools/build.ts'],
  'db:schema': ['tools/db-schema.ts'],
  docs: ['tools/docs.ts'],
  'spec:status': ['spec/status.ts'],
  svc: ['apps/host/src/cli.ts'],
};

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/**
 * Runs a program to its end and passes signals on to it: whoever stops this process stops the work, and the work
 * decides how it ends.
 */
function run(program, args, options) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, ...options });
    const forward = (signal) => {
      // A terminal has sent Ctrl-C to the whole group, the child included.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const finish = (result) => {
      for (const signal of signals) process.off(signal, forward);
      resolve(result);
    };
    child.on('error', (error) => finish({ error }));
    child.on('close', (code, signal) => finish({ code, signal }));
  });
}

/** Ends this process as the child ended: with its code, or for a signal with the shell's code of it. */
function endLike({ code, signal }) {
  process.exit(signal ? 128 + os.constants.signals[signal] : code);
}

function installedMark() {
  let lockfile;
  try {
    lockfile = readFileSync(path.join(root, 'package-lock.json'));
  } catch (error) {
    return fail(
      `package-lock.json cannot be read (${error.message}). Is this a whole copy of the repository?`,
    );
  }
  const hash = createHash('sha256').update(lockfile).digest('hex');
  return `${hash} ${process.platform}-${process.arch}`;
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** npm as it runs us, or the one on the path. */
function findNpm() {
  const started = process.env.npm_execpath;
  if (started && path.basename(started) === 'npm-cli.js' && existsSync(started))
    return { program: process.execPath, args: [started], shell: false };
  return { program: isWindows ? 'npm.cmd' : 'npm', args: [], shell: isWindows };
}

/** npm keeps downloads in the home folder; where there is none that can be written to, in the temporary one. */
function npmEnvironment() {
  const home = os.homedir();
  if (process.env.npm_config_cache || isWritable(path.join(home, '.npm')) || isWritable(home))
    return process.env;
  const cache = path.join(os.tmpdir(), `svc-npm-cache-${process.getuid?.() ?? 0}`);
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  return { ...process.env, npm_config_cache: cache };
}

async function installWhenNeeded() {
  const mark = installedMark();
  if (existsSync(marker) && readFileSync(marker, 'utf8') === mark) return;
  if (!isWritable(root) || (existsSync(modules) && !isWritable(modules)))
    fail(`The packages cannot be installed: this user may not write in ${root}. Use a copy of your own.`);
  process.stderr.write('Installing packages (once; about a minute) ...\n');
  const npm = findNpm();
  // Not `npm ci`: npm 11 refuses a lockfile for which its registry has none of the packages for other platforms.
  // `install --no-save` takes the same versions with the same hashes and leaves the lockfile alone.
  const options = ['--no-save', '--ignore-scripts', '--include=dev', '--include=optional'];
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const result = await run(npm.program, [...npm.args, 'install', ...options, ...quiet], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: npmEnvironment(),
    shell: npm.shell,
  });
  if (result.error)
    fail(
      `The packages cannot be installed: npm could not be started (${result.error.message}). Install npm (it comes with Node), see that it is on the path, and run the command again.`,
    );
  if (result.signal) endLike(result);
  if (result.code !== 0)
    fail(
      'The packages could not be installed: npm said why above. Check the connection to your npm registry and run the command again.',
    );
  // Removed first: in a copy made of hard links, writing would change the original's mark.
  rmSync(marker, { force: true });
  writeFileSync(marker, mark);
}

/** Node programs that will do, the best first. */
function nodeCandidates() {
  const platform = isWindows ? 'win' : process.platform;
  const program = isWindows ? 'node.exe' : 'node';
  const packaged = path.join(modules, `node-${platform}-${process.arch}`, 'bin', program);
  const candidates = existsSync(packaged) ? [packaged] : [];
  if (ownMajor >= nodeMajorMin) candidates.push(process.execPath);
  return candidates;
}

const [name, ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
if (!command) fail(`Unknown command "${name ?? ''}". There are: ${Object.keys(commands).join(', ')}.`);
await installWhenNeeded();
for (const node of nodeCandidates()) {
  if (node !== process.execPath && ownMajor < nodeMajorMin)
    process.stderr.write(
      `Node ${process.versions.node} started this; going on with Node ${nodeMajorMin} from npm.\n`,
    );
  const result = await run(node, ['--conditions=svc-source', ...command, ...args], {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}` },
  });
  // A packaged Node that this system cannot run (another C library) leaves the choice to the next one.
  if (!result.error) endLike(result);
}
fail(
  `Node ${nodeMajorMin} is needed, this is Node ${process.versions.node}, and npm has none that runs on ${process.platform}-${process.arch}. Install Node ${nodeMajorMin} and run the command again.`,
);
