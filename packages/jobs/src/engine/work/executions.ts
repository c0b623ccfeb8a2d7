import type { Executor } from '../../client/executor.ts';
import { JobsError } from '../../errors.ts';
import { completeInTransaction } from '../../sql/jobs/complete-in.ts';
import type { Finisher } from './finisher.ts';
import type { HeldJob } from './held-jobs.ts';
import { createJobRun } from './job-run.ts';
import { type ReleaseDeps, releaseHeld } from './release-held.ts';
import { runAttempt } from './run-attempt.ts';
import type { RunNotes } from './run-notes.ts';
import type { Announce } from './transitions.ts';

/** Running jobs of the process. */
export type Executions = {
  /** Runs a job to its end in any final state; never rejects. */
  run(job: HeldJob): Promise<void>;
  /** Resolves when the jobs that run now have ended. */
  settled(): Promise<unknown>;
};

export type ExecutionsDeps = ReleaseDeps & {
  /** Retention of completed jobs. */
  readonly completedMs: number | null;
  readonly notes: RunNotes;
  readonly finisher: Finisher;
  readonly announce: Announce;
};

export function createExecutions(deps: ExecutionsDeps): Executions {
  const { sql, held, notes, finisher } = deps;
  const running = new Set<Promise<void>>();

  const completeIn = async (job: HeldJob, executor: Executor) => {
    const isDone = await completeInTransaction(sql, executor, job.row, {
      durationMs: performance.now() - (job.startedAtMs ?? job.claimedAtMs),
      retentionMs: deps.completedMs,
    });
    if (!isDone) throw new JobsError('NotCurrent', `Another run holds the job ${job.row.id} by now.`);
  };

  const execute = async (job: HeldJob) => {
    deps.announce(job, 'Processing');
    const outcome = await runAttempt(job, createJobRun({ sql, notes, completeIn }, job));
    if (outcome.kind === 'Ended') {
      notes.flushSoon();
      finisher.add(outcome.end);
    } else if (outcome.kind === 'Released') {
      await releaseHeld(deps, [job]);
    } else {
      held.remove(job);
    }
  };

  return {
    run: (job) => {
      const execution = execute(job).then(() => void running.delete(execution));
      running.add(execution);
      return execution;
    },
    settled: () => Promise.allSettled(running),
  };
}
