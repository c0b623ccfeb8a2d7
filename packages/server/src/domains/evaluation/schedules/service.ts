import type { EvalSchedule, EvalScheduleInput, ListQuery, Page } from '@svc/contract';
import { notFound, pageOf, pageRequest } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { assertVersion, requireRight } from '../../projects/index.ts';
import { recordScheduleEvent } from './audit.ts';
import type { EvalSchedulesDeps } from './deps.ts';
import { setTicks } from './jobs.ts';
import { presentSchedule } from './present.ts';
import * as store from './store.ts';
import { createReportThreshold } from './threshold.ts';
import { serveTicks } from './tick.ts';

export type EvalSchedulesService = ReturnType<typeof createEvalSchedulesService>;

/**
 * Creates the service for scheduled evaluations. Each tick starts one evaluation. A drop of the accuracy causes one
 * notice.
 */
export function createEvalSchedulesService(deps: EvalSchedulesDeps) {
  const { database, jobs, schedules } = deps;
  serveTicks(deps);
  return {
    list: async (query: ListQuery & { readonly projectId?: number }): Promise<Page<EvalSchedule>> => {
      const page = pageRequest(query, {
        sortable: store.scheduleSortable,
        byDefault: 'projectName',
        unique: 's.project_id',
      });
      const { rows, totalCount } = await store.listSchedules(database, query.projectId ?? null, page);
      const items = await Promise.all(rows.map((row) => presentSchedule(schedules, database, row)));
      return pageOf(items, totalCount, page);
    },

    save: (
      by: CallerActor,
      input: EvalScheduleInput,
      expectedVersion: number | undefined,
    ): Promise<EvalSchedule> =>
      database.transaction(async (tx) => {
        const { projectId } = input;
        await requireRight(tx, by.caller, projectId, 'Write');
        const before = await store.findSchedule(tx, projectId, { forUpdate: true });
        assertVersion(before?.version ?? 0, expectedVersion);
        const { cronExpression, timeZone } = await schedules.explain(
          input.cronExpression,
          input.timeZone ?? before?.timeZone,
        );
        const content = {
          cron: cronExpression,
          timeZone,
          minAccuracy: input.minAccuracy,
          repeats: input.repeats ?? 1,
          maxTokens: input.maxTokens ?? null,
          isPaused: input.isPaused ?? false,
        };
        await store.saveSchedule(tx, projectId, by.caller.userId, content);
        await setTicks(jobs, tx, { projectId, ...content });
        await recordScheduleEvent(deps, tx, 'eval.schedule_saved', by, projectId, content);
        const saved = await store.findSchedule(tx, projectId);
        if (!saved) throw notFound();
        return presentSchedule(schedules, tx, saved);
      }),

    delete: (by: CallerActor, projectId: number): Promise<void> =>
      database.transaction(async (tx) => {
        const schedule = await store.findSchedule(tx, projectId, { forUpdate: true });
        if (!schedule) throw notFound();
        await store.deleteSchedule(tx, projectId);
        await setTicks(jobs, tx, { ...schedule, isPaused: true });
        await recordScheduleEvent(deps, tx, 'eval.schedule_deleted', by, projectId);
      }),

    completed: createReportThreshold(deps),
  };
}
