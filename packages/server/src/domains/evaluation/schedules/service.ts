import {
  type EvalRun,
  type EvalSchedule,
  type EvalScheduleInput,
  type EvalSkipReason,
  type ListQuery,
  limitText,
  type Page,
  shownScore,
} from '@svc/contract';
import { type Jobs, requireSlot } from '@svc/jobs';
import { isAdmin, systemCaller } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Executor, Tx } from '../../../platform/db/index.ts';
import { notFound, pageOf, pageRequest, Refusal } from '../../../platform/http/index.ts';
import type { Audit, CallerActor } from '../../audit/index.ts';
import { checkedExamples } from '../../golden-examples/index.ts';
import type { RequireModel } from '../../llm-usage/index.ts';
import type { TellResponsible } from '../../notices/index.ts';
import { assertVersion, requireRight } from '../../projects/index.ts';
import type { Schedules } from '../../subscriptions/index.ts';
import { findUsers, personOf } from '../../users/index.ts';
import { presentRun } from '../present.ts';
import { continueRun, type StartRun } from '../starting.ts';
import { findRun } from '../store.ts';
import { evaluationTick, setTicks } from './jobs.ts';
import * as store from './store.ts';

export type EvalSchedulesDeps = {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly schedules: Schedules;
  readonly requireModel: RequireModel;
  readonly startRun: StartRun;
  readonly tellResponsible: TellResponsible;
};

/** A due time of a project's evaluations. */
type EvalTick = {
  readonly slotAt: Date;
  /** Writes a line into the log of the tick's job. */
  readonly log: (message: string) => void;
};

export type EvalSchedulesService = ReturnType<typeof createEvalSchedulesService>;

const system = { caller: systemCaller } as const;

const skipOf: Readonly<Record<string, EvalSkipReason>> = {
  'llm-not-configured': 'NotConfigured',
  'llm-budget-spent': 'BudgetSpent',
};

const whole = 100;

/** Returns the accuracy and its limit in percent, as a notice shows them. */
const percentsOf = (accuracy: number, minAccuracy: number) => ({
  accuracy: shownScore(accuracy * whole, minAccuracy * whole),
  minAccuracy: Number(limitText(minAccuracy * whole)),
});

/**
 * Creates the service for scheduled evaluations. Each tick starts one evaluation. A drop of the accuracy causes one
 * notice.
 */
export function createEvalSchedulesService(deps: EvalSchedulesDeps) {
  const { database, jobs, audit, clock, schedules } = deps;

  const record = (tx: Tx, event: `eval.${string}`, by: CallerActor, projectId: number, detail = {}) =>
    audit.record(tx, { event, by, subject: { kind: 'eval_schedule', id: projectId }, projectId, detail });

  const present = async (executor: Executor, row: store.ScheduleRow): Promise<EvalSchedule> => {
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
  };

  /**
   * Returns true while the user who saved the schedule may still run evaluations. A schedule without an owner was saved
   * by a program of the host and always passes.
   */
  const hasOwner = async (tx: Tx, { ownerUserId }: store.ScheduleRow): Promise<boolean> => {
    if (ownerUserId === null) return true;
    const [owner] = await findUsers(tx, [ownerUserId]);
    return owner !== undefined && isAdmin(personOf(owner));
  };

  const pause = async (tx: Tx, schedule: store.ScheduleRow): Promise<void> => {
    const { projectId } = schedule;
    await store.pauseForOwner(tx, projectId);
    await setTicks(jobs, tx, { ...schedule, isPaused: true });
    await record(tx, 'eval.schedule_paused', system, projectId, { reason: 'OwnerGone' });
    await deps.tellResponsible(tx, {
      kind: 'EvaluationPaused',
      subject: { kind: 'EvaluationSchedule', id: projectId },
      runId: null,
      facts: {},
      isRepetition: false,
    });
  };

  /** Returns the reason why no evaluation can start now; null when it can. */
  const obstacleTo = async (projectId: number): Promise<EvalSkipReason | null> => {
    const schedule = await store.findSchedule(database, projectId);
    try {
      await deps.requireModel({ userId: schedule?.ownerUserId ?? null }, 'An evaluation asks a model.');
      return null;
    } catch (error) {
      const skip = error instanceof Refusal ? skipOf[error.code ?? ''] : undefined;
      if (skip === undefined) throw error;
      return skip;
    }
  };

  /** Enqueues a job for the open evaluation of a slot when its earlier job has ended. */
  const continueSlot = async (
    tx: Tx,
    { id, state, isFinished, isWorkedOn }: store.SlotRun,
    { slotAt, log }: EvalTick,
  ): Promise<void> => {
    const name = `The evaluation of ${slotAt.toISOString()} (${id})`;
    if (isWorkedOn) return log(`${name} is under way. No second evaluation is started.`);
    if (isFinished) return log(`${name} has ended as ${state}. No second evaluation is started.`);
    await continueRun(jobs, tx, id);
  };

  /**
   * Starts the evaluation of a slot.
   *
   * @returns the reason for a refusal; null when it has started.
   */
  const startScheduled = async (
    tx: Tx,
    { projectId, repeats, maxTokens, minAccuracy, ownerUserId }: store.ScheduleRow,
    slotAt: Date,
  ): Promise<EvalSkipReason | null> => {
    if (await store.hasOpenRun(tx, projectId)) return 'StillRunning';
    const examples = await checkedExamples(tx, { projectId, ids: null });
    if (examples.length === 0) return 'NoExamples';
    await deps.startRun(tx, system, {
      projectId,
      goldenIds: examples.map(({ id }) => id),
      userId: ownerUserId,
      repeats,
      maxTokens,
      minAccuracy,
      slotAt,
    });
    return null;
  };

  const tick = async (projectId: number, { slotAt, log }: EvalTick): Promise<void> => {
    const obstacle = await obstacleTo(projectId);
    await database.transaction(async (tx) => {
      const schedule = await store.findSchedule(tx, projectId, { forUpdate: true });
      if (!schedule) return log('The schedule of the project is gone. No evaluation is started.');
      const stored = await store.findRunOfSlot(tx, projectId, slotAt);
      if (stored) return continueSlot(tx, stored, { slotAt, log });
      if (schedule.isPaused) return log('The schedule is paused. No evaluation is started.');
      if (!(await hasOwner(tx, schedule))) return pause(tx, schedule);
      const skipReason = obstacle ?? (await startScheduled(tx, schedule, slotAt));
      if (skipReason !== null) await store.noteSkip(tx, projectId, clock.now(), skipReason);
    });
  };

  jobs.handle(evaluationTick, ({ projectId }, run) =>
    tick(projectId, { slotAt: requireSlot(run), log: run.log }),
  );

  return {
    list: async (query: ListQuery & { readonly projectId?: number }): Promise<Page<EvalSchedule>> => {
      const page = pageRequest(query, {
        sortable: store.scheduleSortable,
        byDefault: 'projectName',
        unique: 's.project_id',
      });
      const { rows, totalCount } = await store.listSchedules(database, query.projectId ?? null, page);
      return pageOf(await Promise.all(rows.map((row) => present(database, row))), totalCount, page);
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
        await record(tx, 'eval.schedule_saved', by, projectId, content);
        const saved = await store.findSchedule(tx, projectId);
        if (!saved) throw notFound();
        return present(tx, saved);
      }),

    delete: (by: CallerActor, projectId: number): Promise<void> =>
      database.transaction(async (tx) => {
        const schedule = await store.findSchedule(tx, projectId, { forUpdate: true });
        if (!schedule) throw notFound();
        await store.deleteSchedule(tx, projectId);
        await setTicks(jobs, tx, { ...schedule, isPaused: true });
        await record(tx, 'eval.schedule_deleted', by, projectId);
      }),

    /**
     * Notifies the responsible user when the accuracy crosses its threshold, in the transaction that completes the
     * evaluation.
     */
    completed: async (tx: Tx, run: EvalRun): Promise<void> => {
      const { projectId, accuracy, minAccuracy } = run;
      if (projectId === null || accuracy === null || minAccuracy === null) return;
      const schedule = await store.findSchedule(tx, projectId, { forUpdate: true });
      const isBelow = accuracy < minAccuracy;
      if (!schedule || !(await store.markBelow(tx, projectId, isBelow))) return;
      await deps.tellResponsible(tx, {
        kind: isBelow ? 'AccuracyDropped' : 'AccuracyRecovered',
        subject: { kind: 'EvaluationSchedule', id: projectId },
        runId: null,
        isRepetition: false,
        facts: { ...percentsOf(accuracy, minAccuracy), evalRunId: run.id },
      });
    },
  };
}

const lastRunOf = ({ id, state, accuracy, createdTime, finishedAt }: EvalRun) => ({
  id,
  state,
  accuracy,
  createdTime,
  finishedAt,
});
