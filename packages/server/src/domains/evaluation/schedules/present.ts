import type { EvalRun, EvalSchedule } from '@svc/contract';
import type { Executor } from '../../../platform/db/index.ts';
import type { Schedules } from '../../subscriptions/index.ts';
import { presentRun } from '../present.ts';
import { findRun } from '../store.ts';
import type { ScheduleRow } from './store.ts';

/** Returns a schedule with its last run. */
export async function presentSchedule(
  schedules: Schedules,
  executor: Executor,
  row: ScheduleRow,
): Promise<EvalSchedule> {
  const run = row.lastRunId === null ? undefined : await findRun(executor, row.lastRunId);
  return {
    projectId: row.projectId,
    projectName: row.projectName,
    schedule: schedules.present(row.cron, row.timeZone, !row.isPaused),
    minAccuracy: row.minAccuracy,
    repeats: row.repeats,
    maxTokens: row.maxTokens,
    isPaused: row.isPaused,
    pauseReason: row.pauseReason,
    ownerName: row.ownerName,
    isBelow: row.isBelow,
    lastRun: run ? lastRunOf(presentRun(run)) : null,
    lastSkip:
      row.lastSkippedAt === null || row.lastSkipReason === null
        ? null
        : { at: row.lastSkippedAt.toISOString(), reason: row.lastSkipReason },
    updatedAt: row.updatedAt.toISOString(),
    version: row.version,
  };
}

const lastRunOf = ({ id, state, accuracy, createdTime, finishedAt }: EvalRun) => ({
  id,
  state,
  accuracy,
  createdTime,
  finishedAt,
});
