import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** Builds the pages if their sources changed. */
export function buildPages(): void {
  const build = path.join(import.meta.dirname, '../../ui/build.ts');
  const done = spawnSync(process.execPath, ['--conditions=svc-source', build], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`The pages could not be built:\n${done.stdout}\n${done.stderr}`);
}
