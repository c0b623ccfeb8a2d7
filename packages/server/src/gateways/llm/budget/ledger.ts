import type { LlmCharge, LlmPurpose, LlmTokens } from '../port.ts';

/** Price of one million tokens. The same figure is the price of one token in millionths. */
export type LlmPrice = { readonly inputPerMillion: number; readonly outputPerMillion: number };

/** Limits of the cost, size and number of calls. Null: no limit. */
export type LlmLimits = {
  /** Per UTC month for the whole service, in the currency of the prices. */
  readonly monthlyBudget: number | null;
  /** Per UTC month for the whole service. */
  readonly monthlyTokens: number | null;
  /** Per UTC day for one user. */
  readonly dailyTokensPerUser: number | null;
  readonly callsPerMinute: number;
  readonly tokensPerMinute: number;
  /** Concurrent calls in all processes together. */
  readonly maxConcurrentCalls: number;
  /** For one call with all its attempts. */
  readonly callTimeoutSeconds: number;
  /** Instructions and data together. */
  readonly maxPromptBytes: number;
};

/** A request to a provider, before it is sent. */
export type LlmReservationRequest = {
  readonly purpose: LlmPurpose;
  readonly model: string;
  readonly charge: LlmCharge;
  /** Hash of the prompt that is sent. */
  readonly promptHash: string;
  /** Upper bound of its tokens. */
  readonly bound: LlmTokens;
  /** Null: the price is unknown and the cost is not counted. */
  readonly price: LlmPrice | null;
  /** Time limit of the call. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/** Reserved tokens, or the reason why none are reserved. */
export type LlmReservation =
  | { readonly kind: 'Reserved'; readonly id: number }
  | { readonly kind: 'Missed'; readonly miss: 'BudgetSpent' | 'EvaluationSpent' | 'TooManyCalls' };

/** Enforces the budgets: a request is sent only after its upper bound is reserved. */
export type LlmLedger = {
  /** Waits at most 20 seconds for its turn. */
  readonly reserve: (request: LlmReservationRequest) => Promise<LlmReservation>;
  /**
   * Replaces the reservation of a call by its actual tokens. Never throws: if the booking fails, the sweep books the call at
   * its bound.
   *
   * @param outcome  `Answered`, `Refused` or the code of a failure.
   */
  readonly settle: (id: number, tokens: LlmTokens, outcome: string) => Promise<void>;
};

/**
 * Returns the cost of tokens in millionths, rounded up after the removal of floating-point noise. Never less than the
 * actual cost.
 */
export const costOf = (
  { input, output }: Pick<LlmTokens, 'input' | 'output'>,
  price: LlmPrice | null,
): number =>
  price === null
    ? 0
    : Math.ceil(Number((input * price.inputPerMillion + output * price.outputPerMillion).toFixed(3)));
