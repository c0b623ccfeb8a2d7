import path from 'node:path';
import { buildPages } from './build/pages.ts';

/** `npm run build:pages`: builds the pages that the service serves. Run it once per version, before the start. */
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
try {
  await buildPages(path.resolve(import.meta.dirname, '..'), stopping.signal);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
process.stderr.write('The user interface is built.\n');
