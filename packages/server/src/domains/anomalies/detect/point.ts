import type { AnomalySeverity } from '@svc/contract';

/** The count of one run. */
export type Point = {
  readonly dueAt: Date;
  readonly count: number;
  /** Whether it was out of the ordinary when it ran, which way, and whether a person called it expected since. */
  readonly flagged: 'Up' | 'Down' | null;
  readonly isExpected: boolean;
};

/** What a count is, beside those before it. */
export type Assessment = {
  readonly flagged: 'Up' | 'Down' | null;
  /** The smallest and largest count that would not have been flagged. */
  readonly lower: number;
  readonly upper: number;
  readonly severity: AnomalySeverity;
  /** One sentence: the count, what was expected, and from what. */
  readonly explanation: string;
};
