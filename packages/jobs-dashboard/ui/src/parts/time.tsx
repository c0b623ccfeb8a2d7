import { useSyncExternalStore } from 'react';
import { exactTime, relativeTime } from '../lib/format.ts';

const tickMs = 1_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: number | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the current time, updated every second while a component uses it. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

/** Relative time. The exact time with its zone is shown on hover and to screen readers. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const current = Math.max(useNow(), Date.now());
  if (at === null || at === undefined) return <span className="soft">—</span>;
  const exact = exactTime(at);
  return (
    <time dateTime={at} title={exact} className="mono">
      {relativeTime(at, current)}
      <span className="visually-hidden">, {exact}</span>
    </time>
  );
}
