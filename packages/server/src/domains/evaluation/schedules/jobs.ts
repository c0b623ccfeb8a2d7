import { defineJob, type Jobs } from '@svc/jobs';
import type { Tx } from '../../../platform/db/index.ts';
import type { ScheduleRow } from './store.ts';

/** Job for a due time of a project's evaluations. */
export const evaluationTick = defineJob<{ readonly projectId: number }>({
  name: 'evaluation-tick',
  queue: 'ai',
  parse: (value) => {
    const { projectId } = Object(value) as { projectId?: unknown };
    if (typeof projectId !== 'number' || !Number.isSafeInteger(projectId) || projectId < 1)
      throw new TypeError('projectId must be a positive integer.');
    return { projectId };
  },
});

/** Registers the ticks of a schedule in the caller's transaction, or removes them while it is paused. */
export async function setTicks(
  jobs: Jobs,
  tx: Tx,
  { projectId, cron, timeZone, isPaused }: Pick<ScheduleRow, 'projectId' | 'cron' | 'timeZone' | 'isPaused'>,
): Promise<void> {
  const key = `evaluation:${projectId}`;
  if (isPaused) await jobs.schedules.remove(tx, key);
  else await jobs.schedules.put(tx, { key, cron, timeZone, job: evaluationTick, payload: { projectId } });
}
