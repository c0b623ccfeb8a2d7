import { plural } from '@svc/contract';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ToolRefusal } from './refusal.ts';

/** Limits of one caller in this process: concurrent calls, and calls per minute. */
export type CallLimits = {
  /**
   * Counts a call and reserves a slot. The returned function releases the slot.
   *
   * @throws ToolRefusal above a limit.
   */
  readonly enter: (
    callerKey: string,
    caps: { readonly maxConcurrentCalls: number; readonly maxCallsPerMinute: number },
  ) => Promise<() => void>;
};

export function createCallLimits(): CallLimits {
  const running = new Map<string, number>();
  // The caps can change at run time, so the limiter only counts.
  const counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 60 });
  return {
    enter: async (callerKey, { maxConcurrentCalls, maxCallsPerMinute }) => {
      const counted = await counter.consume(callerKey);
      if (counted.consumedPoints > maxCallsPerMinute)
        throw new ToolRefusal(
          'too-many-calls',
          `More than ${plural(maxCallsPerMinute, 'call')} within a minute; the next is taken in ${Math.max(1, Math.ceil(counted.msBeforeNext / 1_000))} s.`,
        );
      const now = running.get(callerKey) ?? 0;
      if (now >= maxConcurrentCalls)
        throw new ToolRefusal(
          'too-many-calls',
          `${plural(now, 'call is', 'calls are')} running already, which is all that may run at once.`,
        );
      running.set(callerKey, now + 1);
      return () => {
        const remaining = (running.get(callerKey) ?? 1) - 1;
        if (remaining > 0) running.set(callerKey, remaining);
        else running.delete(callerKey);
      };
    },
  };
}
