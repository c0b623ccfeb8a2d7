import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';

/** `npm start [-- --no-demo]`: builds the UI when it changed, then runs the standalone process. */
const root = path.resolve(import.meta.dirname, '..');
process.stderr.write('Building the user interface (skipped when nothing changed) ...\n');
const pages = ['-w', '@svc/web', '-w', '@svc/jobs-dashboard'];
const build = spawnSync('npm', ['run', '--silent', 'build', ...pages], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'pipe'],
  encoding: 'utf8',
});
if (build.status !== 0) {
  process.stderr.write(
    `${build.stdout}${build.stderr}\nThe user interface could not be built; the reason stands above.\n`,
  );
  process.exit(1);
}
const host = spawn(
  process.execPath,
  ['--conditions=svc-source', path.join(root, 'apps/host/src/cli.ts'), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => host.kill(signal));
host.on('exit', (code) => process.exit(code ?? 1));
