import type { HttpAnswer } from '../http/client.ts';

/** Statuses of a request that was not taken and may be sent again. */
const refusedForNow = new Set([429, 503]);
const seconds = /^\d{1,9}$/;
/** The form of HTTP's dates that is sent today (RFC 9110). */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** How long an API asks to wait; undefined where it does not say, or answers otherwise. */
export function retryAfterMs({ status, header }: Pick<HttpAnswer, 'status' | 'header'>): number | undefined {
  const after = refusedForNow.has(status) ? header('retry-after')?.trim() : undefined;
  if (after === undefined) return undefined;
  if (seconds.test(after)) return Number(after) * 1_000;
  const at = httpDate.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
