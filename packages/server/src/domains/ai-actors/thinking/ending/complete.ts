import type { Database, Tx } from '../../../../platform/db/index.ts';
import { recordActorEvent } from '../../audit.ts';
import type { Acting as OwnerLookup } from '../../owner.ts';
import type { createApply } from '../../plans/applying/apply.ts';
import type { createPropose } from '../../plans/propose.ts';
import { lockActor, noteThink } from '../../store.ts';
import { endThink, findThink, type ThinkRow } from '../store.ts';
import type { Thought } from '../thought.ts';
import { type Acting, saveQueries } from './save-queries.ts';
import { type StopDeps, stopActor } from './stop-actor.ts';

export type CompleteDeps = StopDeps & {
  readonly database: Database;
  readonly acting: OwnerLookup;
  readonly apply: ReturnType<typeof createApply>;
  readonly propose: ReturnType<typeof createPropose>;
};

/** Stores the result of a think, unless the actor is no longer active. */
export const createComplete =
  (deps: CompleteDeps) =>
  (thinkId: number, thought: Thought): Promise<void> =>
    deps.database.transaction(async (tx) => {
      const unlocked = await findThink(tx, thinkId);
      const actor = unlocked && (await lockActor(tx, unlocked.actorId));
      const think = await findThink(tx, thinkId);
      if (!actor || !think || think.finishedAt !== null) return;
      const { tokens, model } = thought;
      if (actor.state !== 'Active')
        return void (await endThink(tx, thinkId, { state: 'Cancelled', tokens, model }));
      const as = await deps.acting.asOwnerHeld(tx, actor);
      if (as) return storeThought(deps, tx, { actor, as }, think, thought);
      await endThink(tx, thinkId, { state: 'Cancelled', tokens, model });
      await stopActor(deps, tx, actor, 'Paused', { reason: 'OwnerUnfit' });
    });

async function storeThought(
  deps: CompleteDeps,
  tx: Tx,
  acting: Acting,
  think: ThinkRow,
  thought: Thought,
): Promise<void> {
  const { analysis, findings, tokens, model, promptVersion } = thought;
  const { actor, as } = acting;
  const by = { caller: as };
  const { applied, discarded, planned } = await saveQueries(deps.apply, tx, acting, thought.proved);
  const planId = planned.length === 0 ? null : await deps.propose(tx, by, actor, think, planned);
  await endThink(tx, think.id, {
    state: 'Completed',
    analysis,
    findings,
    tokens,
    model,
    promptVersion,
    applied,
    discarded: [...thought.discarded, ...discarded],
  });
  await noteThink(tx, actor.id, null);
  await recordActorEvent(deps.audit, tx, by, 'think_completed', actor, {
    thinkId: think.id,
    planId,
    proposed: planned.length,
    applied: applied.length,
  });
}
