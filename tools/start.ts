import path from 'node:path';
import { buildPages } from './build/pages.ts';

/**
 * `npm start [-- --no-demo]`: builds the UI when it changed, then becomes the standalone process. The bootstrap has the
 * other end of an IPC channel. When the channel closes, this process stops as on SIGTERM, even after the bootstrap was
 * killed. A direct start of `apps/host/src/cli.ts` has no such channel.
 */
const root = path.resolve(import.meta.dirname, '..');
const isTerminated = 143;
const stopping = new AbortController();
const stopBuild = (): void => stopping.abort();
const signals = ['SIGINT', 'SIGTERM'] as const;

process.once('disconnect', () => {
  // The terminal or pipe may be closed as well. An output error must not interrupt the stop.
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
// A signal may arrive after the build and before the service handles signals.
if (stopping.signal.aborted) process.emit('SIGTERM');
