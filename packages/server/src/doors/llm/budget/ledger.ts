import type { LlmCharge, LlmPurpose, LlmTokens } from '../port.ts';

/** What a million tokens cost: as many millionths a token. */
export type LlmPrice = { readonly inputPerMillion: number; readonly outputPerMillion: number };

/** What calls may cost, and how large and how many they may be. Null: no limit. */
export type LlmLimits = {
  /** Of the service, in a month of UTC, in the money of the prices. */
  readonly monthlyBudget: number | null;
  /** Of the service, in a month of UTC. */
  readonly monthlyTokens: number | null;
  /** Of one user, on a day of UTC. */
  readonly dailyTokensPerUser: number | null;
  readonly callsPerMinute: number;
  readonly tokensPerMinute: number;
  /** Calls at once, in all processes together. */
  readonly maxConcurrentCalls: number;
  /** For a call with all its attempts. */
  readonly callTimeoutSeconds: number;
  /** Of instructions and data together. */
  readonly maxPromptBytes: number;
};

/** One request to a provider that is about to be sent. */
export type LlmReservationRequest = {
  readonly purpose: LlmPurpose;
  readonly model: string;
  readonly charge: LlmCharge;
  /** Of what is sent. */
  readonly promptHash: string;
  /** Tokens that it cannot exceed. */
  readonly bound: LlmTokens;
  /** Null: none is known, and what the call costs is not counted. */
  readonly price: LlmPrice | null;
  /** By when it has ended. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/** Tokens that are set aside, or why there are none. */
export type LlmReservation =
  | { readonly kind: 'Reserved'; readonly id: number }
  | { readonly kind: 'Missed'; readonly miss: 'BudgetSpent' | 'EvaluationSpent' | 'TooManyCalls' };

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

/** What tokens cost in millionths, never less than they do: rounded up, but for the noise of floating point. */
export const costOf = (
  { input, output }: Pick<LlmTokens, 'input' | 'output'>,
  price: LlmPrice | null,
): number =>
  price === null
    ? 0
    : Math.ceil(Number((input * price.inputPerMillion + output * price.outputPerMillion).toFixed(3)));
