import { useSyncExternalStore } from 'react';

/** Whether the service tells this page of changes as they happen. */
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

/** While the service tells of changes, pages still ask now and then: it tells of what concerns this user only. */
const liveEveryMs = 60_000;

/** How often a page asks by itself: as given, and rarely while the service tells of changes. */
export const usePollMs = (withoutRealtimeMs: number): number =>
  useIsLive() ? liveEveryMs : withoutRealtimeMs;

/** Mark of a query whose rows must not move under the reader's hand: newer ones are offered, not shown. */
export const still = { isStill: true } as const;
