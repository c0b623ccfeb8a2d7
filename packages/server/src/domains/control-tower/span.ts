import { type RawBuilder, sql } from 'kysely';
import type { DueSlot } from './due-slots.ts';

/** Access of a caller. */
export type Seen = {
  /** Condition on the recorded facts of a run as `r`. */
  readonly runs: RawBuilder<boolean>;
  /** True if the condition is true for every run. */
  readonly isEveryRun: boolean;
  /** Null: all projects. */
  readonly projectIds: readonly number[] | null;
};

/** Time range and rules for the judgement of runs. */
export type Judging = {
  /** Days in UTC, including today. */
  readonly days: number;
  /** Allowed delay of a due run: `Svc:Subscriptions:MissedRunGraceSeconds`. */
  readonly graceSeconds: number;
  /** The newest slot of each active schedule that must have started by now. */
  readonly slots: readonly DueSlot[];
  readonly retainedDays: RetainedDays;
};

/** Days for which starts are recorded. Older slots are not judged. */
export type RetainedDays = { readonly runs: number; readonly evaluations: number };

const today = sql`(now() at time zone 'UTC')::date`;
/** SQL of the first of the last `days` days in UTC. */
export const firstDay = (days: number) => sql`(${today} - (${days}::int - 1))`;

/** SQL of the start of the last `days` days. */
export const startOf = (days: number) => sql`(${firstDay(days)}::timestamp at time zone 'UTC')`;
