import type { EvalSkipReason } from '@svc/contract';
import { requireSlot } from '@svc/jobs';
import { isAdmin, systemCaller } from '../../../platform/access/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import { Refusal } from '../../../platform/http/index.ts';
import { checkedExamples } from '../../golden-examples/index.ts';
import { findUsers, personOf } from '../../users/index.ts';
import { continueRun } from '../starting.ts';
import { recordScheduleEvent } from './audit.ts';
import type { EvalSchedulesDeps } from './deps.ts';
import { evaluationTick, setTicks } from './jobs.ts';
import * as store from './store.ts';

/** A due time of a project's evaluations. */
type EvalTick = {
  readonly slotAt: Date;
  /** Writes a line into the log of the tick's job. */
  readonly log: (message: string) => void;
};

const system = { caller: systemCaller } as const;

const skipReasons: Readonly<Record<string, EvalSkipReason>> = {
  'llm-not-configured': 'NotConfigured',
  'llm-budget-spent': 'BudgetSpent',
};

/** Starts one evaluation per tick, in jobs. */
export const serveTicks = (deps: EvalSchedulesDeps): void =>
  deps.jobs.handle(evaluationTick, ({ projectId }, run) =>
    tick(deps, projectId, { slotAt: requireSlot(run), log: run.log }),
  );

async function tick(deps: EvalSchedulesDeps, projectId: number, { slotAt, log }: EvalTick): Promise<void> {
  const obstacle = await findObstacle(deps, projectId);
  await deps.database.transaction(async (tx) => {
    const schedule = await store.findSchedule(tx, projectId, { forUpdate: true });
    if (!schedule) return log('The schedule of the project is gone. No evaluation is started.');
    const stored = await store.findRunOfSlot(tx, projectId, slotAt);
    if (stored) return continueSlot(deps, tx, stored, { slotAt, log });
    if (schedule.isPaused) return log('The schedule is paused. No evaluation is started.');
    if (!(await hasOwner(tx, schedule))) return pause(deps, tx, schedule);
    const skipReason = obstacle ?? (await startScheduled(deps, tx, schedule, slotAt));
    if (skipReason !== null) await store.noteSkip(tx, projectId, deps.clock.now(), skipReason);
  });
}

/** Returns the reason why no evaluation can start now; null when it can. */
async function findObstacle(
  { database, requireModel }: EvalSchedulesDeps,
  projectId: number,
): Promise<EvalSkipReason | null> {
  const schedule = await store.findSchedule(database, projectId);
  try {
    await requireModel({ userId: schedule?.ownerUserId ?? null }, 'An evaluation asks a model.');
    return null;
  } catch (error) {
    const reason = error instanceof Refusal ? skipReasons[error.code ?? ''] : undefined;
    if (reason === undefined) throw error;
    return reason;
  }
}

/** Enqueues a job for the open evaluation of a slot when its earlier job has ended. */
async function continueSlot(
  { jobs }: EvalSchedulesDeps,
  tx: Tx,
  { id, state, isFinished, isWorkedOn }: store.SlotRun,
  { slotAt, log }: EvalTick,
): Promise<void> {
  const name = `The evaluation of ${slotAt.toISOString()} (${id})`;
  if (isWorkedOn) return log(`${name} is under way. No second evaluation is started.`);
  if (isFinished) return log(`${name} has ended as ${state}. No second evaluation is started.`);
  await continueRun(jobs, tx, id);
}

/**
 * Returns true while the user who saved the schedule may still run evaluations. A schedule without an owner was saved
 * by a program of the host and always passes.
 */
async function hasOwner(tx: Tx, { ownerUserId }: store.ScheduleRow): Promise<boolean> {
  if (ownerUserId === null) return true;
  const [owner] = await findUsers(tx, [ownerUserId]);
  return owner !== undefined && isAdmin(personOf(owner));
}

/** Pauses a schedule without an owner and notifies the responsible users. */
async function pause(deps: EvalSchedulesDeps, tx: Tx, schedule: store.ScheduleRow): Promise<void> {
  const { projectId } = schedule;
  await store.pauseForOwner(tx, projectId);
  await setTicks(deps.jobs, tx, { ...schedule, isPaused: true });
  await recordScheduleEvent(deps, tx, 'eval.schedule_paused', system, projectId, { reason: 'OwnerGone' });
  await deps.tellResponsible(tx, {
    kind: 'EvaluationPaused',
    subject: { kind: 'EvaluationSchedule', id: projectId },
    runId: null,
    facts: {},
    isRepetition: false,
  });
}

/**
 * Starts the evaluation of a slot.
 *
 * @returns the reason for a refusal; null when it has started.
 */
async function startScheduled(
  deps: EvalSchedulesDeps,
  tx: Tx,
  { projectId, repeats, maxTokens, minAccuracy, ownerUserId }: store.ScheduleRow,
  slotAt: Date,
): Promise<EvalSkipReason | null> {
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
}
