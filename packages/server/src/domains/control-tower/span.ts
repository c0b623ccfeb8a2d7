import { type RawBuilder, sql } from 'kysely';
import type { DueSlot } from './due-slots.ts';

/** What a caller sees. */
export type Seen = {
  /** Condition on what is known of a run as `r`. */
  readonly runs: RawBuilder<boolean>;
  /** The condition holds for every run. */
  readonly isEveryRun: boolean;
  /** Null: all. */
  readonly projectIds: readonly number[] | null;
};

/** From which moment on, and by which promise, runs are judged. */
export type Judging = {
  /** Days in UTC, today included. */
  readonly days: number;
  /** How late a due run may start: `Svc:Subscriptions:MissedRunGraceSeconds`. */
  readonly graceSeconds: number;
  /** The newest slot of each active schedule that must have started by now. */
  readonly slots: readonly DueSlot[];
  readonly retainedDays: RetainedDays;
};

/** Days for which starts stay recorded. Older slots are not judged. */
export type RetainedDays = { readonly runs: number; readonly evaluations: number };

const today = sql`(now() at time zone 'UTC')::date`;
/** The first day in UTC of the last days. */
export const firstDay = (days: number) => sql`(${today} - (${days}::int - 1))`;

/** The moment at which the last days begin. */
export const startOf = (days: number) => sql`(${firstDay(days)}::timestamp at time zone 'UTC')`;
