import path from 'node:path';
import { buildPages } from './build/pages.ts';

/**
 * `npm start [-- --no-demo]`: builds the UI when it changed, then becomes the standalone process. The bootstrap that
 * starts it holds the other end of a channel: when that closes, this stops as if it were told SIGTERM, however the
 * bootstrap ended. Whoever starts `apps/host/src/cli.ts` with Node itself has no such channel.
 */
const root = path.resolve(import.meta.dirname, '..');
const isTerminated = 143;
const stopping = new AbortController();
const stopBuild = (): void => stopping.abort();
const signals = ['SIGINT', 'SIGTERM'] as const;

process.once('disconnect', () => {
  // What they lead to may be gone as well, and a stop has to reach its end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.emit('SIGTERM');
});
process.channel?.unref();

for (const signal of signals) process.on(signal, stopBuild);
process.stderr.write('Building the user interface (skipped when nothing changed) ...\n');
try {
  await buildPages(root, stopping.signal);
} catch (error) {
  if (stopping.signal.aborted) process.exit(isTerminated);
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
await import('../apps/host/src/cli.ts');
// Told between the build and the moment from which the service listens to signals itself.
if (stopping.signal.aborted) process.emit('SIGTERM');
