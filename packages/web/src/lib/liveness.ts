import { useSyncExternalStore } from 'react';

/** True while the service pushes changes to this page. */
let isLive = false;
const listeners = new Set<() => void>();

export function setLive(next: boolean): void {
  if (next === isLive) return;
  isLive = next;
  for (const listener of listeners) listener();
}

const useIsLive = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isLive,
  );

/**
 * Poll interval with a live connection. Pages still poll, because the service pushes only changes that concern this
 * user.
 */
const liveEveryMs = 60_000;

/** Returns the poll interval: the given one, or a long one while the service pushes changes. */
export const usePollMs = (withoutRealtimeMs: number): number =>
  useIsLive() ? liveEveryMs : withoutRealtimeMs;

/** Marks a query whose rows must not shift while a user reads. The page offers newer rows instead of showing them. */
export const still = { isStill: true } as const;
