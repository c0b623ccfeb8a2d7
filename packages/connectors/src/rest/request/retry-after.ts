import type { HttpAnswer } from '../../http/client.ts';

/** Statuses of a request that was not processed and may be repeated. */
const refusedForNow = new Set([429, 503]);
const seconds = /^\d{1,9}$/;
/** Current form of dates in HTTP (RFC 9110). */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns the wait that an API requests; undefined for an answer without one. */
export function retryAfterMs({ status, header }: Pick<HttpAnswer, 'status' | 'header'>): number | undefined {
  const after = refusedForNow.has(status) ? header('retry-after')?.trim() : undefined;
  if (after === undefined) return undefined;
  if (seconds.test(after)) return Number(after) * 1_000;
  const at = httpDate.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
