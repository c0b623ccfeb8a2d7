import type { JobKind, JobState } from '@svc/jobs';

/** Job in the form of a list item. */
export type JobItem = {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly name: string;
  readonly queue: string;
  readonly priority: number;
  readonly attempt: number;
  readonly attemptsMax: number;
  readonly createdAt: Date;
  readonly dueAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly cancelRequestedAt: Date | null;
  readonly progress: number | null;
  readonly progressText: string | null;
  /** First line of the last error. */
  readonly error: string | null;
  readonly scheduleKey: string | null;
  readonly traceId: string;
};

/** Columns of a `JobItem`, from a table aliased `j`. */
export const itemColumns = `j.id, j.kind::text as kind, j.state::text as state, j.name, j.queue, j.priority, j.attempt,
  j.attempts_max as "attemptsMax", j.created_at as "createdAt", j.due_at as "dueAt", j.started_at as "startedAt",
  j.finished_at as "finishedAt", j.cancel_requested_at as "cancelRequestedAt", j.progress,
  j.progress_text as "progressText", left(split_part(j.error, chr(10), 1), 300) as error,
  j.schedule_key as "scheduleKey", j.trace_id as "traceId"`;
