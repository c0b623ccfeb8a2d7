import type { AttemptEnd, RecordedEnds } from '../../sql/jobs/end-attempts.ts';
import type { Loop } from '../loop.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { Announce } from './transitions.ts';
import type { Worker } from './worker.ts';

export type RecordedEndsDeps = {
  readonly held: HeldJobs;
  readonly workers: ReadonlyMap<string, Worker>;
  readonly announce: Announce;
  readonly groups: Pick<Loop, 'wake'>;
  readonly pulse: Pick<Loop, 'wake'>;
};

/** Frees the jobs whose end was recorded, reports their new state and wakes the loops that depend on it. */
export function applyRecordedEnds(
  { held, workers, announce, groups, pulse }: RecordedEndsDeps,
  ends: readonly AttemptEnd[],
  recorded: RecordedEnds,
): void {
  for (const end of ends) {
    const job = held.get(end.id);
    if (!job || job.row.fence !== end.fence) continue;
    held.remove(job);
    if (recorded.recordedIds.has(end.id)) announce(job, end.state);
    // A job that waits for a limit can start now.
    const worker = workers.get(job.queue);
    if (worker && (job.row.is_limited || worker.isLimited())) worker.wake();
  }
  if (recorded.isAwaited) groups.wake();
  if (ends.some((end) => end.state === 'AwaitingRetry')) pulse.wake();
}
