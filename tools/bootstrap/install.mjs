// Installs the packages of the lockfile. Plain JavaScript without dependencies.
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
 * Returns a Node program that the installation does not remove. npm puts the programs of packages first on the path, so
 * the running Node may itself be a package. `npm_node_execpath` names the Node that runs npm.
 */
function lastingNode(root) {
  const isLasting = (node) => node && existsSync(node) && !node.startsWith(path.join(root, 'node_modules'));
  return [process.execPath, process.env.npm_node_execpath].find(isLasting);
}

/** Returns the npm that started this process, or the npm on the path. */
function findNpm(root) {
  const started = process.env.npm_execpath;
  const node = lastingNode(root);
  if (node && started && path.basename(started) === 'npm-cli.js' && existsSync(started))
    return { program: node, args: [started], shell: false };
  return { program: isWindows ? 'npm.cmd' : 'npm', args: [], shell: isWindows };
}

/** Sets a temporary npm cache when the home folder is not writable. */
function npmEnvironment() {
  const home = os.homedir();
  if (process.env.npm_config_cache || isWritable(path.join(home, '.npm')) || isWritable(home))
    return process.env;
  const cache = path.join(os.tmpdir(), `svc-npm-cache-${process.getuid?.() ?? 0}`);
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  return { ...process.env, npm_config_cache: cache };
}

/** Returns the folders that npm fills: `node_modules` of the root, and of each workspace that needs other versions. */
function moduleFolders(root) {
  const { workspaces = [] } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const members = workspaces.flatMap((pattern) => {
    const parent = path.join(root, pattern.replace(/\/\*$/, ''));
    return existsSync(parent) ? readdirSync(parent).map((name) => path.join(parent, name)) : [];
  });
  return [root, ...members].map((folder) => path.join(folder, 'node_modules'));
}

/** Hidden entries of node_modules that belong to npm. All other hidden entries are caches of tools. */
const ofNpm = new Set(['.bin', '.package-lock.json']);

/**
 * Prepares the folders that npm fills. A tree without a marker comes from an interrupted installation and is removed.
 * npm treats a package with a package.json as complete and would not repair it. In a complete tree of another lockfile,
 * only the marker and the caches of tools are removed.
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
  // Not `npm ci`: npm 11 refuses a lockfile when the registry lacks the packages for other platforms.
  // `install --no-save` installs the same versions with the same hashes and does not change the lockfile.
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
  // The rename is atomic. In a copy made of hard links it also leaves the original's marker unchanged.
  writeFileSync(`${marker}.new`, mark);
  renameSync(`${marker}.new`, marker);
  return undefined;
}

/** Installs the packages unless the marker matches the lockfile. One process at a time. */
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
      // No process records the end of an orphaned npm, and the orphan would write into the new installation.
      onOrphan: (pid) => process.kill(pid, 'SIGKILL'),
    },
  );
  if (typeof failure === 'string') fail(failure);
  if (failure) endLike(failure);
}
