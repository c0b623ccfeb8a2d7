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

const keyOf = (actorId: number): string => `ai-actor:${actorId}`;

/** Orders thinks. Each order inserts one row and one job in the transaction of the caller. */
export function createStartThinking(deps: {
  readonly jobs: Jobs;
  readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
}) {
  const { jobs } = deps;

  const order = async (
    tx: Tx,
    actorId: number,
    origin: AiThinkOrigin,
    by: {
      readonly caller: Caller | null;
      readonly feedback: Feedback | null;
      /** Slot of the schedule. Absent for an order without schedule. */
      readonly slotAt?: Date;
    },
  ): Promise<Ordered | undefined> => {
    const { caller, feedback, slotAt = null } = by;
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
    const metadata = caller === null ? undefined : deps.startedBy(caller);
    const { jobId } = await jobs.enqueue(tx, thinkJob, { thinkId }, metadata ? { metadata } : {});
    await setThinkJob(tx, thinkId, jobId);
    return { thinkId, jobId };
  };

  /** Orders a think unless the actor cannot think now or its plan is pending. @returns true if it was ordered. */
  const orderIfIdle = async (
    tx: Tx,
    actor: ActorRow | undefined,
    by: { readonly origin: 'Schedule'; readonly slotAt: Date } | { readonly origin: 'AfterRun' },
  ): Promise<boolean> => {
    const isIdle = actor?.state === 'Active' && actor.pendingPlanId === null;
    if (!isIdle || actor.tokensThisMonth >= actor.monthlyTokens) return false;
    const { origin, ...slot } = by;
    return (await order(tx, actor.id, origin, { caller: null, feedback: null, ...slot })) !== undefined;
  };

  /** Enqueues a new job for the open think of a slot if its previous job has ended. */
  const continueSlot = async (
    tx: Tx,
    { id, state, isFinished, isWorkedOn }: SlotThink,
    slotAt: Date,
  ): Promise<string | null> => {
    const name = `The think of ${slotAt.toISOString()} (${id})`;
    if (isWorkedOn) return `${name} is under way. No second think is ordered.`;
    if (isFinished) return `${name} has ended as ${state}. No second think is ordered.`;
    const { jobId } = await jobs.enqueue(tx, thinkJob, { thinkId: id });
    await setThinkJob(tx, id, jobId);
    return null;
  };

  return {
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
      const ordered = await order(tx, actor.id, origin, { caller, feedback });
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
      if (stored) return continueSlot(tx, stored, slotAt);
      const isOrdered = await orderIfIdle(tx, actor, { origin: 'Schedule', slotAt });
      return isOrdered ? null : 'The actor cannot think now, or thinks already. No think is ordered.';
    },

    /**
     * Orders a think after a run of one of the actor's subscriptions, at most once an hour: runs may be frequent, and thinks
     * cost money.
     */
    afterRun: async (tx: Tx, subscriptionId: number): Promise<void> => {
      const actorId = await findThinkerAfterRun(tx, subscriptionId);
      if (actorId === undefined || (await hasThoughtAfterRun(tx, actorId))) return;
      await orderIfIdle(tx, await lockActor(tx, actorId), { origin: 'AfterRun' });
    },

    /** Cancels the job of the open think. Returns the id of the think. */
    cancelOpen: async (tx: Tx, actorId: number): Promise<number | undefined> => {
      const open = await findOpenThink(tx, actorId);
      if (open?.jobId) await jobs.cancel(tx, open.jobId);
      return open?.id;
    },

    /** Starts the ticks of an actor, or stops them if it has no schedule. Runs in the transaction that changes the actor. */
    setSchedule: async (
      tx: Tx,
      { id, state, thinkSchedule, timeZone }: Pick<ActorRow, 'id' | 'state' | 'thinkSchedule' | 'timeZone'>,
    ): Promise<void> => {
      if (state !== 'Active' || thinkSchedule === null)
        return void (await jobs.schedules.remove(tx, keyOf(id)));
      await jobs.schedules.put(tx, {
        key: keyOf(id),
        cron: thinkSchedule,
        timeZone,
        job: actorTick,
        payload: { actorId: id },
      });
    },
  };
}
