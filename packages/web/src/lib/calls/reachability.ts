import { useSyncExternalStore } from 'react';
import { hosted } from '../base.ts';

/** Interval between probes of an unavailable service. */
const againMs = 3_000;

let isAway = false;
let timer: number | undefined;
const listeners = new Set<() => void>();
const returns = new Set<() => void>();

function setAway(next: boolean): void {
  if (next === isAway) return;
  isAway = next;
  for (const listener of listeners) listener();
  if (!next) for (const listener of returns) listener();
}

/** Checks that the service responds. A service without its database counts as unavailable. */
async function probe(): Promise<void> {
  window.clearTimeout(timer);
  timer = undefined;
  const answer = await fetch(hosted('/svc/api/health'), { cache: 'no-store' }).catch(() => undefined);
  const isHere = answer?.ok === true;
  setAway(!isHere);
  if (!isHere) timer ??= window.setTimeout(() => void probe(), againMs);
}

/** Records a missing response. The service may be unavailable, so it is probed until it responds. */
export function noteSilence(): void {
  if (timer === undefined && !isAway) void probe();
}

/**
 * Calls `listener` each time the service becomes available again.
 * @returns a function that unsubscribes.
 */
export function onReturn(listener: () => void): () => void {
  returns.add(listener);
  return () => returns.delete(listener);
}

/** Returns true while the service does not respond. */
export const useIsAway = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isAway,
  );
