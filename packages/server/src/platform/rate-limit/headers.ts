import type { RateLimitPolicy } from '@svc/contract';

/** What headers are set on: the reply of a request. */
export type AnswerHeaders = { readonly header: (name: string, value: string) => unknown };

/** What is left of a quota, and when the whole of it is there again. */
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
