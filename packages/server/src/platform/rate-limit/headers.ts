import type { RateLimitPolicy } from '@svc/contract';

/** Receiver of headers: the reply of a request. */
export type AnswerHeaders = { readonly header: (name: string, value: string) => unknown };

/** Remaining quota, and the time until it is fully available again. */
export type Standing = { readonly remaining: number; readonly resetSeconds: number };

/** Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10, structured fields). */
export function setRateLimitHeaders(
  answer: AnswerHeaders,
  policy: Pick<RateLimitPolicy, 'name' | 'quota' | 'windowSeconds'>,
  standing: Standing,
): void {
  const resetSeconds = Math.max(1, Math.ceil(standing.resetSeconds));
  answer.header('ratelimit-policy', `"${policy.name}";q=${policy.quota};w=${policy.windowSeconds}`);
  answer.header('ratelimit', `"${policy.name}";r=${standing.remaining};t=${resetSeconds}`);
}
