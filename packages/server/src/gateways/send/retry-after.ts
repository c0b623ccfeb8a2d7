/** Maximum accepted wait: one day. */
export const retryAfterSecondsMax = 86_400;

/** Statuses with a meaningful `Retry-After` (RFC 9110 section 10.2.3, RFC 6585). */
const waitingStatuses: ReadonlySet<number> = new Set([429, 503]);
const secondsShape = /^\d{1,10}$/;
/** The only date format that senders may generate (RFC 9110 section 5.6.7). */
const dateShape = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Returns the wait that an answer requests, in whole seconds, at most one day.
 *
 * @param header  Raw value of `Retry-After`: seconds or a date.
 * @returns undefined for other statuses, and for an invalid header.
 */
export function retryAfterOf(
  status: number,
  header: string | readonly string[] | undefined,
  now: () => Date,
): number | undefined {
  if (!waitingStatuses.has(status) || typeof header !== 'string') return undefined;
  const text = header.trim();
  if (secondsShape.test(text)) return Math.min(Number(text), retryAfterSecondsMax);
  if (!dateShape.test(text)) return undefined;
  const seconds = Math.ceil((Date.parse(text) - now().getTime()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), retryAfterSecondsMax);
}
