import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../../..');

/** Builds the web UI when its sources changed; answers the folder that a service serves it from. */
export function buildWeb(): string {
  const build = spawnSync(
    process.execPath,
    ['--conditions=svc-source', path.join(root, 'packages/web/tools/build.ts')],
    { encoding: 'utf8' },
  );
  if (build.status !== 0) throw new Error(`The UI could not be built:\n${build.stdout}\n${build.stderr}`);
  return path.join(root, 'packages/web/dist');
}
