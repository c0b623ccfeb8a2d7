import { errorText } from '../../errors.ts';
import type { JobState } from '../../states.ts';
import type { JobsLogger } from '../logger.ts';
import type { HeldJob } from './held-jobs.ts';

/** State change of a job that this process made. */
export type Transition = {
  readonly jobId: string;
  readonly name: string;
  readonly state: JobState;
  readonly attempt: number;
  readonly traceId: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Time of the process's clock. */
  readonly at: Date;
};

/** Reports a new state of a job to the host; never throws. */
export type Announce = (job: HeldJob, state: JobState) => void;

/** Returns the function that reports transitions to `onTransition`. An error of the callback is logged. */
export function createAnnounce(
  onTransition: ((transition: Transition) => void) | null,
  logger: JobsLogger,
): Announce {
  return ({ row }, state) => {
    if (!onTransition) return;
    try {
      onTransition({
        jobId: row.id,
        name: row.name,
        state,
        attempt: row.attempt,
        traceId: row.trace_id,
        metadata: row.metadata,
        at: new Date(),
      });
    } catch (error) {
      logger.error({ jobId: row.id, error: errorText(error) }, 'onTransition threw');
    }
  };
}
