import path from 'node:path';
import { buildPages } from './build/pages.ts';

/** `npm run build:pages`: installs and builds what the service needs to run; once for each version, before it starts. */
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
try {
  await buildPages(path.resolve(import.meta.dirname, '..'), stopping.signal);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
process.stderr.write('The user interface is built.\n');
