import { parseHint } from '../sql/hints.ts';
import type { Loop } from './loop.ts';
import type { HeldJobs } from './work/held-jobs.ts';
import type { Worker } from './work/worker.ts';

export type HintDeps = {
  readonly held: HeldJobs;
  readonly workers: ReadonlyMap<string, Worker>;
  readonly groups: Pick<Loop, 'wake'>;
  readonly pulse: Pick<Loop, 'wake'>;
};

/** Applies a notification of PostgreSQL: it makes the next run of a loop earlier, or cancels a job of this process. */
export function applyHint({ held, workers, groups, pulse }: HintDeps, payload: string): void {
  const hint = parseHint(payload);
  switch (hint.kind) {
    case 'JobsReady':
      workers.get(hint.queue)?.wake();
      break;
    case 'CancelRequested':
      held.get(hint.jobId)?.abort('Cancelled');
      break;
    case 'GroupsChanged':
      groups.wake();
      break;
    case 'TimesChanged':
      pulse.wake();
  }
}
