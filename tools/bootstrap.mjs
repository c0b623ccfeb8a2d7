// Runs on Node 20 or later with no packages installed. Installs the packages of the lockfile, then runs the command
// under Node 24, which npm installs as a package. Plain JavaScript, no dependencies.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installWhenNeeded } from './bootstrap/install.mjs';
import { endLike, fail, run } from './bootstrap/run.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const nodeMajorMin = 24;
const ownMajor = Number(process.versions.node.split('.')[0]);

/** Script and arguments of each command. */
const commands = {
  start: { script: 'tools/start.ts', isService: true },
  test: { script: 'tools/test.ts' },
  'test:unit': { script: 'tools/test.ts', args: ['--tier=unit'] },
  'test:browser': { script: 'tools/test.ts', args: ['--tier=browser'] },
  'test:torture': { script: 'tools/test.ts', args: ['--tier=torture'] },
  'test:live': { script: 'tools/test.ts', args: ['--tier=live'] },
  check: { script: 'tools/check.ts' },
  bench: { script: 'tools/bench.ts' },
  build: { script: 'tools/build.ts' },
  'build:pages': { script: 'tools/build-pages.ts' },
  'db:schema': { script: 'tools/db-schema.ts' },
  docs: { script: 'tools/docs.ts' },
  'docs:site': { script: 'tools/docs-site.ts' },
  'spec:status': { script: 'spec/status.ts' },
  svc: { script: 'apps/host/src/cli.ts' },
};

/** Returns the Node programs that can run the command, in order of preference. */
function nodeCandidates() {
  const isWindows = process.platform === 'win32';
  const packageName = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const packaged = path.join(root, 'node_modules', packageName, 'bin', isWindows ? 'node.exe' : 'node');
  const candidates = existsSync(packaged) ? [packaged] : [];
  if (ownMajor >= nodeMajorMin) candidates.push(process.execPath);
  return candidates;
}

const [name, ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
if (!command) fail(`Unknown command "${name ?? ''}". There are: ${Object.keys(commands).join(', ')}.`);
await installWhenNeeded(root);
for (const node of nodeCandidates()) {
  if (node !== process.execPath && ownMajor < nodeMajorMin)
    process.stderr.write(
      `Node ${process.versions.node} started this; going on with Node ${nodeMajorMin} from npm.\n`,
    );
  const result = await run(
    node,
    ['--conditions=svc-source', command.script, ...(command.args ?? []), ...args],
    {
      cwd: root,
      isService: command.isService,
      env: { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}` },
    },
  );
  // A packaged Node may not run on this system, for example with another C library. Then the next candidate runs.
  if (!result.error) endLike(result);
}
fail(
  `Node ${nodeMajorMin} is needed, this is Node ${process.versions.node}, and npm has none that runs on ${process.platform}-${process.arch}. Install Node ${nodeMajorMin} and run the command again.`,
);
