import type { JobState } from '@svc/jobs';

/** One run of a job's handler. */
export type Attempt = {
  readonly attempt: number;
  readonly startedAt: Date;
  /** Null while it runs. */
  readonly finishedAt: Date | null;
  /** What it ended with; `Recovered` when its worker was lost; null while it runs. */
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

/** The attempts of a job, from its history and from its row, which tells of the last one. */
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
