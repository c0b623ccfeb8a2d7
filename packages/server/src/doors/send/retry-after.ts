/** A destination may ask to be left alone for so long at most. */
export const retryAfterSecondsMax = 86_400;

/** Answers whose `Retry-After` says when another attempt may do better (RFC 9110 section 10.2.3, RFC 6585). */
const waitingStatuses: ReadonlySet<number> = new Set([429, 503]);
const secondsShape = /^\d{1,10}$/;
/** The one form of dates that senders may write (RFC 9110 section 5.6.7). */
const dateShape = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * How long an answer asks to be left alone, in whole seconds, a day at most.
 *
 * @param header  `Retry-After` as it came: seconds or a date.
 * @returns undefined for other statuses, and for what is no such header.
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
