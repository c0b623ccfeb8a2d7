import { type RawBuilder, sql } from 'kysely';

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
};

const today = sql`(now() at time zone 'UTC')::date`;
/** The first day in UTC of the last days. */
export const firstDay = (days: number) => sql`(${today} - (${days}::int - 1))`;

/** The moment at which the last days begin. */
export const startOf = (days: number) => sql`(${firstDay(days)}::timestamp at time zone 'UTC')`;
