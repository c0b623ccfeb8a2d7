import { existsSync } from 'node:fs';
import path from 'node:path';

/** Returns the folder of the built web UI; undefined if it was not built. */
export function webFolder(): string | undefined {
  const folder = path.resolve(import.meta.dirname, '../../../packages/web/dist');
  return existsSync(path.join(folder, 'index.html')) ? folder : undefined;
}
