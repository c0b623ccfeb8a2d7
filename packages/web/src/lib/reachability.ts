import { useSyncExternalStore } from 'react';
import { hosted } from './base.ts';

/** How soon a service that is away is asked again. */
const againMs = 3_000;

let isAway = false;
let timer: number | undefined;
const listeners = new Set<() => void>();
const returns = new Set<() => void>();

function setAway(next: boolean): void {
  if (next === isAway) return;
  isAway = next;
  for (const listener of listeners) listener();
  if (!next) for (const told of returns) told();
}

/** Asks whether the service answers at all; a service without its database is as good as away. */
async function probe(): Promise<void> {
  window.clearTimeout(timer);
  timer = undefined;
  const answer = await fetch(hosted('/svc/api/health'), { cache: 'no-store' }).catch(() => undefined);
  const isHere = answer?.ok === true;
  setAway(!isHere);
  if (!isHere) timer ??= window.setTimeout(() => void probe(), againMs);
}

/** Something of the service did not come: it may be away, which is looked into until it is back. */
export function noteSilence(): void {
  if (timer === undefined && !isAway) void probe();
}

/** Calls `told` whenever the service is back. @returns what ends that. */
export function onReturn(told: () => void): () => void {
  returns.add(told);
  return () => returns.delete(told);
}

/** Whether the service does not answer at present. */
export const useIsAway = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isAway,
  );
