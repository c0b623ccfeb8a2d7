import { vi } from 'vitest';

/** Global state that the test files of one process share, by name. A file could leave it changed for the next file. */
export type SharedState = Readonly<Record<string, unknown>>;

/** Returns the current shared state. */
export const sharedState = (): SharedState => ({
  ...Object.fromEntries(Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value])),
  'the working directory': process.cwd(),
  'fake timers': vi.isFakeTimers(),
  'globalThis.fetch': globalThis.fetch,
  'process.stderr.write': process.stderr.write,
  'process.exitCode': process.exitCode,
  'signal listeners': process.listenerCount('SIGINT') + process.listenerCount('SIGTERM'),
});

/** Throws an error that names all state that differs from `before`. */
export function expectUnchanged(before: SharedState): void {
  const after = sharedState();
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => before[name] !== after[name],
  );
  if (changed.length > 0)
    throw new Error(
      `This file leaves behind for the next one of its process: ${changed.join(', ')}. Put it back.`,
    );
}
