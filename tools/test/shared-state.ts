import { vi } from 'vitest';

/** What the files of one process have in common, by name; one of them could leave it changed for the next. */
export type SharedState = Readonly<Record<string, unknown>>;

/** The shared state of this moment. */
export const sharedState = (): SharedState => ({
  ...Object.fromEntries(Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value])),
  'the working directory': process.cwd(),
  'fake timers': vi.isFakeTimers(),
  'globalThis.fetch': globalThis.fetch,
  'process.stderr.write': process.stderr.write,
  'process.exitCode': process.exitCode,
  'signal listeners': process.listenerCount('SIGINT') + process.listenerCount('SIGTERM'),
});

/** Throws an error that names what is not as it was `before`. */
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
