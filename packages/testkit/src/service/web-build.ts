import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../../..');

let isBuilt = false;

/** Builds the web UI if its sources changed since the last run. Returns the folder that a service serves. */
export function buildWeb(): string {
  if (!isBuilt) build();
  isBuilt = true;
  return path.join(root, 'packages/web/dist');
}

function build(): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=svc-source', path.join(root, 'packages/web/tools/build.ts')],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The UI could not be built:\n${stdout}\n${stderr}`);
}
