import type { AnomalySeverity } from '@svc/contract';

/** The count of one run. */
export type Point = {
  readonly dueAt: Date;
  readonly count: number;
  /** Direction in which the count was unusual when it ran. Null: it was not unusual. */
  readonly flagged: 'Up' | 'Down' | null;
  /** A user has marked the flagged count as expected. */
  readonly isExpected: boolean;
  /** The smallest and largest count that would not have been flagged. Null or absent if none was computed. */
  readonly lower?: number | null;
  readonly upper?: number | null;
};

/** A count compared with the counts before it. */
export type Assessment = {
  readonly flagged: 'Up' | 'Down' | null;
  /** The smallest and largest count that would not have been flagged. */
  readonly lower: number;
  readonly upper: number;
  readonly severity: AnomalySeverity;
  /** Text for users: the count, the expected range, and its source. */
  readonly explanation: string;
};
