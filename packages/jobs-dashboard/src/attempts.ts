import type { JobState } from '@svc/jobs';

/** Run of a job's handler. */
export type Attempt = {
  readonly attempt: number;
  readonly startedAt: Date;
  /** Null during the run. */
  readonly finishedAt: Date | null;
  /** Final event of the attempt; `Recovered` after the loss of its worker; null during the run. */
  readonly outcome: string | null;
  readonly error: string | null;
};

type Entry = {
  readonly event: string;
  readonly at: Date;
  readonly attempt: number | null;
  readonly durationMs: number | null;
  readonly error: string | null;
};

type Row = {
  readonly kind: string;
  readonly state: JobState;
  readonly attempt: number;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

/**
 * Returns the attempts of a job, from its history and from its row. The row describes the last attempt of a completed
 * or running job.
 */
export function attemptsOf(job: Row, history: readonly Entry[]): Attempt[] {
  const attempts: Attempt[] = history.flatMap((entry) =>
    entry.durationMs === null || entry.attempt === null
      ? []
      : [
          {
            attempt: entry.attempt,
            startedAt: new Date(entry.at.getTime() - entry.durationMs),
            finishedAt: entry.at,
            outcome: entry.event,
            error: entry.error,
          },
        ],
  );
  const isTold = job.state === 'Completed' || job.state === 'Processing';
  if (job.kind === 'Job' && isTold && job.startedAt) {
    attempts.push({
      attempt: job.attempt,
      startedAt: job.startedAt,
      finishedAt: job.state === 'Completed' ? job.finishedAt : null,
      outcome: job.state === 'Completed' ? 'Completed' : null,
      error: null,
    });
  }
  return attempts;
}
