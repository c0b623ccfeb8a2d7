import { lockActor } from '../../store.ts';
import type { StartThinking } from '../start.ts';
import { endThink } from '../store.ts';
import { type CompleteDeps, createComplete } from './complete.ts';
import { createFail } from './fail.ts';
import { stopActor } from './stop-actor.ts';

export type EndThinking = ReturnType<typeof createEndThinking>;

type EndingDeps = CompleteDeps & {
  readonly starting: Pick<StartThinking, 'setSchedule' | 'cancelOpen'>;
};

/** Ends thinks and applies the consequences: a plan, queries that need no plan, a failed or paused actor. */
export const createEndThinking = (deps: EndingDeps) => ({
  complete: createComplete(deps),
  fail: createFail(deps),

  cancel: async (thinkId: number): Promise<void> => {
    await endThink(deps.database, thinkId, { state: 'Cancelled' });
  },

  /** Pauses an actor whose owner is disabled or may no longer write in the project. */
  pauseForOwner: (actorId: number): Promise<void> =>
    deps.database.transaction(async (tx) => {
      const actor = await lockActor(tx, actorId);
      if (actor?.state !== 'Active' || (await deps.acting.asOwner(tx, actor))) return;
      const openId = await deps.starting.cancelOpen(tx, actorId);
      if (openId !== undefined) await endThink(tx, openId, { state: 'Cancelled' });
      await stopActor(deps, tx, actor, 'Paused', { reason: 'OwnerUnfit' });
    }),
});
