import { setTimeout as delay } from 'node:timers/promises';
import { type Attempt, type AttemptResult, attempt } from './attempt.ts';
import type { LlmLedger, LlmPrice } from './budget/ledger.ts';
import { contentOf, type KeepContent, promptHashOf } from './content.ts';
import type { LlmCharge, LlmFailure, LlmPurpose, LlmTokens } from './port.ts';
import { promptBytes } from './prompt.ts';

/** Pauses before each further attempt, in milliseconds, if the provider requests none. Their number limits the attempts. */
export type PausesMs = readonly number[];

/** Maximum `Retry-After` within a call. A longer one ends the call as failed. */
const retryAfterSecondsMax = 20;
/** Tokens that a provider adds to a request. */
const frameTokens = 1_000;

export const noTokens: LlmTokens = { input: 0, output: 0, isEstimated: false };

export const plus = (one: LlmTokens, other: LlmTokens): LlmTokens => ({
  input: one.input + other.input,
  output: one.output + other.output,
  isEstimated: one.isEstimated || other.isEstimated,
});

/** Failures after which a retry of the same request may succeed, if no part of an answer arrived. */
const passing = new Set<LlmFailure>(['RateLimited', 'Overloaded', 'Unreachable']);

/** Returns the upper bound of one attempt. A token has at least one byte, so a request has at most as many tokens as bytes. */
const boundOf = ({ prompt, schema, maxOutputTokens }: Attempt): LlmTokens => ({
  input: promptBytes(prompt) + Buffer.byteLength(JSON.stringify(schema)) + frameTokens,
  output: maxOutputTokens,
  isEstimated: true,
});

/** Returns the tokens to charge: the provider's count, or the upper bound if the provider reports no count. */
function tokensOf(result: AttemptResult, request: Attempt): LlmTokens {
  const { input, output } = result.counted;
  if (input !== undefined && input > 0 && output !== undefined) return { input, output, isEstimated: false };
  const isFree = result.kind === 'Failed' && !result.mayBeCharged;
  return isFree ? noTokens : boundOf(request);
}

/** Returns the pause before the next attempt. Undefined: no further attempt. */
function pauseOf(result: AttemptResult, attemptsMade: number, pausesMs: PausesMs): number | undefined {
  if (result.kind !== 'Failed' || result.mayBeCharged || !passing.has(result.failure)) return undefined;
  const pauseMs = pausesMs[attemptsMade - 1];
  const askedSeconds = result.retryAfterSeconds;
  if (pauseMs === undefined || askedSeconds === undefined) return pauseMs;
  return askedSeconds <= retryAfterSecondsMax ? askedSeconds * 1_000 : undefined;
}

/** Account that attempts are charged to. */
export type Account = {
  readonly ledger: LlmLedger;
  /** Absent: prompts and answers are not stored. */
  readonly keep?: KeepContent | undefined;
  readonly purpose: LlmPurpose;
  readonly charge: LlmCharge;
  readonly price: LlmPrice | null;
  /** For a call with all its attempts. */
  readonly timeoutMs: number;
};

/** Makes one attempt within the budgets. Reserves its upper bound before the request is sent. */
async function attemptCharged(
  request: Attempt,
  account: Account | undefined,
): Promise<{ readonly result: AttemptResult; readonly spent: LlmTokens }> {
  if (account === undefined) {
    const result = await attempt(request);
    return { result, spent: tokensOf(result, request) };
  }
  const { ledger, keep, ...about } = account;
  const { model, signal, prompt } = request;
  const reservation = await ledger.reserve({
    ...about,
    model,
    signal,
    bound: boundOf(request),
    promptHash: promptHashOf(prompt),
  });
  if (reservation.kind === 'Missed') {
    const missed = { failure: reservation.miss, status: null, mayBeCharged: false, counted: {} } as const;
    return { result: { kind: 'Failed', ...missed }, spent: noTokens };
  }
  const result = await attempt(request);
  const spent = tokensOf(result, request);
  const outcome =
    result.kind === 'Failed' ? result.failure : result.kind === 'Refused' ? 'Refused' : 'Answered';
  await ledger.settle(reservation.id, spent, outcome);
  const text = result.kind === 'Text' ? result.text : undefined;
  await keep?.(reservation.id, contentOf(prompt, text, request.connection.secrets));
  return { result, spent };
}

/** Sends a request and retries after temporary failures. `tokens` is the sum of all attempts. */
export async function attemptPatiently(
  request: Attempt,
  pausesMs: PausesMs,
  account?: Account,
): Promise<{ readonly result: AttemptResult; readonly tokens: LlmTokens }> {
  let tokens = noTokens;
  for (let attemptNo = 1; ; attemptNo += 1) {
    const { result, spent } = await attemptCharged(request, account);
    tokens = plus(tokens, spent);
    const pauseMs = pauseOf(result, attemptNo, pausesMs);
    if (pauseMs === undefined || request.signal.aborted) return { result, tokens };
    // An abort ends the wait. The next attempt then fails immediately.
    await delay(pauseMs, undefined, { signal: request.signal }).catch(() => undefined);
  }
}
