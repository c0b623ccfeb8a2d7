import type { LlmCharge, LlmPurpose, LlmTokens } from '../port.ts';

/** What calls may cost. Null: no limit. */
export type LlmLimits = {
  /** Of the service, in a month of UTC. */
  readonly monthlyTokens: number | null;
  /** Of one user, on a day of UTC. */
  readonly dailyTokensPerUser: number | null;
  readonly callsPerMinute: number;
  readonly tokensPerMinute: number;
  /** Calls at once, in all processes together. */
  readonly maxConcurrentCalls: number;
};

/** One request to a provider that is about to be sent. */
export type LlmReservationRequest = {
  readonly purpose: LlmPurpose;
  readonly model: string;
  readonly charge: LlmCharge;
  /** Tokens that it cannot exceed. */
  readonly bound: LlmTokens;
  readonly signal: AbortSignal;
};

/** Tokens that are set aside, or why there are none. */
export type LlmReservation =
  | { readonly kind: 'Reserved'; readonly id: number }
  | { readonly kind: 'Missed'; readonly miss: 'BudgetSpent' | 'TooManyCalls' };

/** Keeps calls within their budgets: nothing is sent before its upper bound is set aside. */
export type LlmLedger = {
  /** Waits at most 20 seconds for its turn. */
  readonly reserve: (request: LlmReservationRequest) => Promise<LlmReservation>;
  /**
   * Books what a call came to instead of its reservation. Never throws: what could not be booked is booked by the
   * sweep, at its bound.
   *
   * @param outcome  `Answered`, `Refused` or the code of a failure.
   */
  readonly settle: (id: number, tokens: LlmTokens, outcome: string) => Promise<void>;
};
