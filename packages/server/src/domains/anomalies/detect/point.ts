import type { AnomalySeverity } from '@svc/contract';

/** The count of one run. */
export type Point = {
  readonly dueAt: Date;
  readonly count: number;
  /** Direction in which the count was unusual when it ran; null: it was not. */
  readonly flagged: 'Up' | 'Down' | null;
  /** A user has called the flagged count expected since. */
  readonly isExpected: boolean;
  /** The smallest and largest count that would not have been flagged; null or absent where none was computed. */
  readonly lower?: number | null;
  readonly upper?: number | null;
};

/** A count compared with those before it. */
export type Assessment = {
  readonly flagged: 'Up' | 'Down' | null;
  /** The smallest and largest count that would not have been flagged. */
  readonly lower: number;
  readonly upper: number;
  readonly severity: AnomalySeverity;
  /** One sentence: the count, what was expected, and from what. */
  readonly explanation: string;
};
