// Installs what the lockfile says. Plain JavaScript without dependencies.
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { withProcessLock } from './process-lock.mjs';
import { endLike, fail, run } from './run.mjs';

const isWindows = process.platform === 'win32';

function expectedMark(root) {
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

/**
 * A Node that an installation does not remove. npm puts the programs of the packages first on the path, so the Node that
 * runs this may be the one among them; npm names the one that runs npm.
 */
function lastingNode(root) {
  const isLasting = (node) => node && existsSync(node) && !node.startsWith(path.join(root, 'node_modules'));
  return [process.execPath, process.env.npm_node_execpath].find(isLasting);
}

/** npm as it runs us, or the one on the path. */
function findNpm(root) {
  const started = process.env.npm_execpath;
  const node = lastingNode(root);
  if (node && started && path.basename(started) === 'npm-cli.js' && existsSync(started))
    return { program: node, args: [started], shell: false };
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

/** The folders that npm fills: the root's, and those of workspaces that need other versions. */
function moduleFolders(root) {
  const { workspaces = [] } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const members = workspaces.flatMap((pattern) => {
    const parent = path.join(root, pattern.replace(/\/\*$/, ''));
    return existsSync(parent) ? readdirSync(parent).map((name) => path.join(parent, name)) : [];
  });
  return [root, ...members].map((folder) => path.join(folder, 'node_modules'));
}

/** What npm keeps itself among the hidden entries of node_modules; all others are caches of tools. */
const ofNpm = new Set(['.bin', '.package-lock.json']);

/**
 * Makes ready what npm will fill. A tree without a mark was not installed to its end: npm takes a package whose
 * package.json it finds for a whole one, and would complete nothing. So it is removed. In a tree that was whole for
 * another lockfile the mark goes before anything changes, and the caches of what changes with it.
 */
function clear(root, marker) {
  const folders = moduleFolders(root).filter((folder) => existsSync(folder));
  const wasWhole = existsSync(marker);
  if (!wasWhole && folders.length > 0)
    process.stderr.write('An earlier installation did not reach its end; it begins anew.\n');
  rmSync(marker, { force: true });
  for (const folder of folders) {
    const doomed = wasWhole
      ? readdirSync(folder).filter((name) => name.startsWith('.') && !ofNpm.has(name))
      : [''];
    for (const name of doomed)
      rmSync(path.join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function install(root, marker, mark, onStart) {
  clear(root, marker);
  process.stderr.write('Installing packages (once; about a minute) ...\n');
  const npm = findNpm(root);
  // Not `npm ci`: npm 11 refuses a lockfile for which its registry has none of the packages for other platforms.
  // `install --no-save` takes the same versions with the same hashes and leaves the lockfile alone.
  const options = ['--no-save', '--ignore-scripts', '--include=dev', '--include=optional'];
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const result = await run(npm.program, [...npm.args, 'install', ...options, ...quiet], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: npmEnvironment(),
    shell: npm.shell,
    onStart,
  });
  if (result.error)
    return `The packages cannot be installed: npm could not be started (${result.error.message}). Install npm (it comes with Node), see that it is on the path, and run the command again.`;
  if (result.signal) return result;
  if (result.code !== 0)
    return 'The packages could not be installed: npm said why above. Check the connection to your npm registry and run the command again.';
  // Renamed, so that it is there whole or not at all, and so that in a copy made of hard links the original's stays.
  writeFileSync(`${marker}.new`, mark);
  renameSync(`${marker}.new`, marker);
  return undefined;
}

/** Installs the packages unless the mark says that those of this lockfile are there, whole. One process at a time. */
export async function installWhenNeeded(root) {
  const modules = path.join(root, 'node_modules');
  const marker = path.join(modules, '.svc-installed');
  const mark = expectedMark(root);
  const isInstalled = () => existsSync(marker) && readFileSync(marker, 'utf8') === mark;
  if (isInstalled()) return;
  if (!isWritable(root) || (existsSync(modules) && !isWritable(modules)))
    fail(`The packages cannot be installed: this user may not write in ${root}. Use a copy of your own.`);
  const failure = await withProcessLock(
    path.join(root, '.install-lock'),
    async ({ addHelper }) => (isInstalled() ? undefined : install(root, marker, mark, addHelper)),
    {
      onWait: () => process.stderr.write('Another process installs the packages; waiting for it ...\n'),
      // Its end would be recorded by nobody, and it would write into what begins anew.
      onOrphan: (pid) => process.kill(pid, 'SIGKILL'),
    },
  );
  if (typeof failure === 'string') fail(failure);
  if (failure) endLike(failure);
}
