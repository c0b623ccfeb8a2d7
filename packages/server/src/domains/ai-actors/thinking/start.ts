import type { AiThinkOrigin } from '@svc/contract';
import type { Jobs } from '@svc/jobs';
import type { Caller } from '../../../platform/access/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import { conflict } from '../../../platform/http/index.ts';
import { type ActorRow, lockActor } from '../store.ts';
import { actorTick, thinkJob } from './jobs.ts';
import { findOpenThink, findThinkerAfterRun, hasThoughtAfterRun, insertThink, setThinkJob } from './store.ts';

export type Ordered = { readonly thinkId: number; readonly jobId: string };

/** What somebody asks an actor to do better. */
export type Feedback = { readonly text: string; readonly parentPlanId: number | null };

export type StartThinking = ReturnType<typeof createStartThinking>;

const keyOf = (actorId: number): string => `ai-actor:${actorId}`;

/** The ways in which an actor comes to think: each makes one row and one job, in the transaction of the caller. */
export function createStartThinking(deps: {
  readonly jobs: Jobs;
  readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
}) {
  const { jobs } = deps;

  const order = async (
    tx: Tx,
    actorId: number,
    origin: AiThinkOrigin,
    by: { readonly caller: Caller | null; readonly feedback: Feedback | null },
  ): Promise<Ordered | undefined> => {
    const { caller, feedback } = by;
    const thinkId = await insertThink(tx, {
      ...{ actorId, origin, userId: caller?.userId ?? null, hostUser: caller?.hostUserId ?? null },
      ...{ feedback: feedback?.text ?? null, parentPlanId: feedback?.parentPlanId ?? null },
    });
    if (thinkId === undefined) return undefined;
    const metadata = caller === null ? undefined : deps.startedBy(caller);
    const { jobId } = await jobs.enqueue(tx, thinkJob, { thinkId }, metadata ? { metadata } : {});
    await setThinkJob(tx, thinkId, jobId);
    return { thinkId, jobId };
  };

  /** Nobody waits for it: an actor that cannot think now, or whose plan waits, lets it be. */
  const orderIfIdle = async (tx: Tx, actorId: number, origin: 'Schedule' | 'AfterRun'): Promise<void> => {
    const actor = await lockActor(tx, actorId);
    const isIdle = actor?.state === 'Active' && actor.pendingPlanId === null;
    if (!isIdle || actor.tokensThisMonth >= actor.monthlyTokens) return;
    await order(tx, actorId, origin, { caller: null, feedback: null });
  };

  return {
    /** Orders a think for a person; the actor is locked, and the caller has decided about the right to. */
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
          `The actor has used its ${actor.monthlyTokens} tokens of this month. Its owner can raise them.`,
        );
      const ordered = await order(tx, actor.id, origin, { caller, feedback });
      if (!ordered) throw conflict('actor-thinking', 'This actor is thinking already.');
      return ordered;
    },

    byTick: (tx: Tx, actorId: number): Promise<void> => orderIfIdle(tx, actorId, 'Schedule'),

    /** After a run of one of its subscriptions, at most once an hour: runs may be many, and thinking costs. */
    afterRun: async (tx: Tx, subscriptionId: number): Promise<void> => {
      const actorId = await findThinkerAfterRun(tx, subscriptionId);
      if (actorId === undefined || (await hasThoughtAfterRun(tx, actorId))) return;
      await orderIfIdle(tx, actorId, 'AfterRun');
    },

    /** Ends the job of the think that goes on. */
    cancelOpen: async (tx: Tx, actorId: number): Promise<number | undefined> => {
      const open = await findOpenThink(tx, actorId);
      if (open?.jobId) await jobs.cancel(tx, open.jobId);
      return open?.id;
    },

    /** Starts or, without a schedule, stops the ticks of an actor, in the transaction that changes it. */
    setSchedule: async (
      tx: Tx,
      { id, state, thinkSchedule, timeZone }: Pick<ActorRow, 'id' | 'state' | 'thinkSchedule' | 'timeZone'>,
    ): Promise<void> => {
      if (state !== 'Active' || thinkSchedule === null)
        return void (await jobs.schedules.remove(tx, keyOf(id)));
      await jobs.schedules.put(tx, {
        ...{ key: keyOf(id), cron: thinkSchedule, timeZone, job: actorTick, payload: { actorId: id } },
      });
    },
  };
}
