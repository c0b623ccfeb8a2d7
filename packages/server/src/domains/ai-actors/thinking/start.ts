import type { AiThinkOrigin } from '@svc/contract';
import { plural } from '@svc/contract';
import type { Jobs } from '@svc/jobs';
import type { Caller } from '../../../platform/access/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import { conflict } from '../../../platform/http/index.ts';
import { type ActorRow, lockActor } from '../store.ts';
import { actorTick, thinkJob } from './jobs.ts';
import {
  findOpenThink,
  findThinkerAfterRun,
  findThinkOfSlot,
  hasThoughtAfterRun,
  insertThink,
  type SlotThink,
  setThinkJob,
} from './store.ts';

export type Ordered = { readonly thinkId: number; readonly jobId: string };

/** A user's feedback to an actor. */
export type Feedback = { readonly text: string; readonly parentPlanId: number | null };

export type StartThinking = ReturnType<typeof createStartThinking>;

type StartDeps = {
  readonly jobs: Jobs;
  readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
};

/** Orders thinks. Each order inserts one row and one job in the transaction of the caller. */
export const createStartThinking = (deps: StartDeps) => ({
  /** Orders a think for a user. The caller has locked the actor and checked the right. */
  byPerson: async (
    tx: Tx,
    actor: ActorRow,
    origin: 'Request' | 'Refinement' | 'Revision',
    caller: Caller,
    feedback: Feedback | null,
  ): Promise<Ordered> => {
    if (actor.state !== 'Active')
      throw conflict(
        'actor-not-active',
        `This actor is ${actor.state.toLowerCase()}. Only active ones think.`,
      );
    if (actor.tokensThisMonth >= actor.monthlyTokens)
      throw conflict(
        'llm-budget-spent',
        `The actor has used its ${plural(actor.monthlyTokens, 'token')} of this month. Its owner can raise them.`,
      );
    const ordered = await order(deps, tx, actor.id, { origin, caller, feedback, slotAt: null });
    if (!ordered) throw conflict('actor-thinking', 'This actor is thinking already.');
    return ordered;
  },

  /**
   * Orders the think of a slot, or continues the existing one.
   *
   * @returns the reason why nothing was ordered, for the log of the tick; null if a think was ordered or continued.
   */
  byTick: async (tx: Tx, actorId: number, slotAt: Date): Promise<string | null> => {
    const actor = await lockActor(tx, actorId);
    const stored = await findThinkOfSlot(tx, actorId, slotAt);
    if (stored) return continueSlot(deps, tx, stored, slotAt);
    const isOrdered = await orderIfIdle(deps, tx, actor, 'Schedule', slotAt);
    return isOrdered ? null : 'The actor cannot think now, or thinks already. No think is ordered.';
  },

  /**
   * Orders a think after a run of one of the actor's subscriptions, at most once an hour: runs may be frequent, and thinks
   * cost money.
   */
  afterRun: async (tx: Tx, subscriptionId: number): Promise<void> => {
    const actorId = await findThinkerAfterRun(tx, subscriptionId);
    if (actorId === undefined || (await hasThoughtAfterRun(tx, actorId))) return;
    await orderIfIdle(deps, tx, await lockActor(tx, actorId), 'AfterRun', null);
  },

  /** Cancels the job of the open think. Returns the id of the think. */
  cancelOpen: async (tx: Tx, actorId: number): Promise<number | undefined> => {
    const open = await findOpenThink(tx, actorId);
    if (open?.jobId) await deps.jobs.cancel(tx, open.jobId);
    return open?.id;
  },

  /** Starts the ticks of an actor, or stops them if it has no schedule. Runs in the transaction that changes the actor. */
  setSchedule: async (
    tx: Tx,
    { id, state, thinkSchedule, timeZone }: Pick<ActorRow, 'id' | 'state' | 'thinkSchedule' | 'timeZone'>,
  ): Promise<void> => {
    const key = `ai-actor:${id}`;
    if (state !== 'Active' || thinkSchedule === null) return void (await deps.jobs.schedules.remove(tx, key));
    await deps.jobs.schedules.put(tx, {
      key,
      cron: thinkSchedule,
      timeZone,
      job: actorTick,
      payload: { actorId: id },
    });
  },
});

/** Inserts a think and its job. Returns undefined if the actor is thinking already. */
async function order(
  { jobs, startedBy }: StartDeps,
  tx: Tx,
  actorId: number,
  {
    origin,
    caller,
    feedback,
    slotAt,
  }: {
    readonly origin: AiThinkOrigin;
    readonly caller: Caller | null;
    readonly feedback: Feedback | null;
    /** Slot of the schedule. Null for an order without schedule. */
    readonly slotAt: Date | null;
  },
): Promise<Ordered | undefined> {
  const thinkId = await insertThink(tx, {
    actorId,
    origin,
    userId: caller?.userId ?? null,
    hostUser: caller?.hostUserId ?? null,
    feedback: feedback?.text ?? null,
    parentPlanId: feedback?.parentPlanId ?? null,
    slotAt,
  });
  if (thinkId === undefined) return undefined;
  const metadata = caller === null ? undefined : startedBy(caller);
  const { jobId } = await jobs.enqueue(tx, thinkJob, { thinkId }, metadata ? { metadata } : {});
  await setThinkJob(tx, thinkId, jobId);
  return { thinkId, jobId };
}

/** Orders a think unless the actor cannot think now or its plan is pending. @returns true if it was ordered. */
async function orderIfIdle(
  deps: StartDeps,
  tx: Tx,
  actor: ActorRow | undefined,
  origin: 'Schedule' | 'AfterRun',
  slotAt: Date | null,
): Promise<boolean> {
  const isIdle = actor?.state === 'Active' && actor.pendingPlanId === null;
  if (!isIdle || actor.tokensThisMonth >= actor.monthlyTokens) return false;
  return (await order(deps, tx, actor.id, { origin, caller: null, feedback: null, slotAt })) !== undefined;
}

/** Enqueues a new job for the open think of a slot if its previous job has ended. */
async function continueSlot(
  { jobs }: StartDeps,
  tx: Tx,
  { id, state, isFinished, isWorkedOn }: SlotThink,
  slotAt: Date,
): Promise<string | null> {
  const name = `The think of ${slotAt.toISOString()} (${id})`;
  if (isWorkedOn) return `${name} is under way. No second think is ordered.`;
  if (isFinished) return `${name} has ended as ${state}. No second think is ordered.`;
  const { jobId } = await jobs.enqueue(tx, thinkJob, { thinkId: id });
  await setThinkJob(tx, id, jobId);
  return null;
}
