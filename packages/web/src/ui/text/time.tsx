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

/** Returns the present time. It updates every 15 seconds while a component uses it. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

type Props = {
  readonly at: string;
  /** True in rows of a list: the time is not in the tab order, because a page would contain too many stops. */
  readonly isQuiet?: boolean;
};

/** Relative time. The exact time with its zone appears on hover and focus; screen readers always receive it. */
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

/** End of a period, for a sentence: "until Mon 23 Nov, 08:00". The exact time appears on hover and focus. */
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
