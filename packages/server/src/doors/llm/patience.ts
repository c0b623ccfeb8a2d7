import { setTimeout as delay } from 'node:timers/promises';
import { type Attempt, type AttemptResult, attempt } from './attempt.ts';
import type { LlmLedger, LlmPrice } from './budget/ledger.ts';
import { contentOf, type KeepContent, promptHashOf } from './content.ts';
import type { LlmCharge, LlmFailure, LlmPurpose, LlmTokens } from './port.ts';
import { promptBytes } from './prompt.ts';

/** Waited before each further attempt, in milliseconds, where the provider asks for nothing: as many as there are. */
export type PausesMs = readonly number[];

/** What a provider may ask us to wait within a call; one that asks for more has failed for now. */
const retryAfterSecondsMax = 20;
/** Tokens that a provider adds around a request. */
const frameTokens = 1_000;

export const noTokens: LlmTokens = { input: 0, output: 0, isEstimated: false };

export const plus = (one: LlmTokens, other: LlmTokens): LlmTokens => ({
  input: one.input + other.input,
  output: one.output + other.output,
  isEstimated: one.isEstimated || other.isEstimated,
});

/** Failures after which the same request may succeed, as long as nothing of an answer came. */
const passing = new Set<LlmFailure>(['RateLimited', 'Overloaded', 'Unreachable']);

/** What one attempt cannot exceed. A token has at least a byte, so that no request has more tokens than bytes. */
const boundOf = ({ prompt, schema, maxOutputTokens }: Attempt): LlmTokens => ({
  input: promptBytes(prompt) + Buffer.byteLength(JSON.stringify(schema)) + frameTokens,
  output: maxOutputTokens,
  isEstimated: true,
});

/** What one attempt counts for: the provider's count, or the upper bound where it counted nothing. */
function tokensOf(result: AttemptResult, request: Attempt): LlmTokens {
  const { input, output } = result.counted;
  if (input !== undefined && input > 0 && output !== undefined) return { input, output, isEstimated: false };
  const isFree = result.kind === 'Failed' && !result.mayBeCharged;
  return isFree ? noTokens : boundOf(request);
}

/** How long to wait before another attempt; undefined: there is none. */
function pauseOf(result: AttemptResult, attemptsMade: number, pausesMs: PausesMs): number | undefined {
  if (result.kind !== 'Failed' || result.mayBeCharged || !passing.has(result.failure)) return undefined;
  const pauseMs = pausesMs[attemptsMade - 1];
  const askedSeconds = result.retryAfterSeconds;
  if (pauseMs === undefined || askedSeconds === undefined) return pauseMs;
  return askedSeconds <= retryAfterSecondsMax ? askedSeconds * 1_000 : undefined;
}

/** Where attempts are charged. */
export type Account = {
  readonly ledger: LlmLedger;
  /** Absent: what is sent and answered is not kept. */
  readonly keep?: KeepContent | undefined;
  readonly purpose: LlmPurpose;
  readonly charge: LlmCharge;
  readonly price: LlmPrice | null;
  /** For a call with all its attempts. */
  readonly timeoutMs: number;
};

/** One attempt within the budgets: its upper bound is set aside before anything is sent. */
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
    ...{ ...about, model, signal },
    ...{ bound: boundOf(request), promptHash: promptHashOf(prompt) },
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

/** Sends a request, again while the provider only asks for patience; the tokens are those of all attempts. */
export async function attemptPatiently(
  request: Attempt,
  pausesMs: PausesMs,
  account?: Account,
): Promise<{ readonly result: AttemptResult; readonly tokens: LlmTokens }> {
  let tokens = noTokens;
  for (let made = 1; ; made += 1) {
    const { result, spent } = await attemptCharged(request, account);
    tokens = plus(tokens, spent);
    const pauseMs = pauseOf(result, made, pausesMs);
    if (pauseMs === undefined || request.signal.aborted) return { result, tokens };
    // The deadline ends the wait; the next attempt then says so.
    await delay(pauseMs, undefined, { signal: request.signal }).catch(() => undefined);
  }
}
