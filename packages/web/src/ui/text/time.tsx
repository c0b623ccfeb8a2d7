import { useSyncExternalStore } from 'react';
import { exactTime, relativeTime, untilTime } from '../../lib/format.ts';
import { Hint } from './hint.tsx';

const tickMs = 15_000;
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

/** The present time, which moves every quarter of a minute while something shows it. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

type Props = {
  readonly at: string;
  /** In rows of a list: no stop of the Tab key, since a page of them would be in the way. */
  readonly isQuiet?: boolean;
};

/** A time as people say it; the exact one, with its zone, on hover and focus, and always for readers. */
export function Time({ at, isQuiet = false }: Props) {
  const current = Math.max(useNow(), Date.now());
  const exact = exactTime(at);
  return (
    <Hint label={exact}>
      <time dateTime={at} tabIndex={isQuiet ? undefined : 0} className="mono">
        {relativeTime(at, current)}
        <span className="visually-hidden">, {exact}</span>
      </time>
    </Hint>
  );
}

/** The end of a period, for a sentence: "until Mon 23 Nov, 08:00". The exact time is on hover and focus. */
export function Until({ at }: Pick<Props, 'at'>) {
  return (
    <Hint label={exactTime(at)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time is reached by keyboard, too */}
      <time dateTime={at} tabIndex={0}>
        {untilTime(at)}
      </time>
    </Hint>
  );
}
