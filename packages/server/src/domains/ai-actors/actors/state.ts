import type { AiActor, AiActorState } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import { conflict } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { recordActorEvent } from '../audit.ts';
import { setActorState } from '../store.ts';
import { endThink } from '../thinking/store.ts';
import { lockManagedActor, requireFitOwner } from './access.ts';
import type { AiActorsDeps } from './deps.ts';
import { readActor } from './read.ts';

type StateAction = 'pause' | 'resume';

/** State after an action, by current state. A missing state does not allow the action. */
const transitions: Readonly<Record<StateAction, Partial<Record<AiActorState, AiActorState>>>> = {
  pause: { Active: 'Paused' },
  resume: { Draft: 'Active', Paused: 'Active', Failed: 'Active' },
};

/** Pauses or resumes an actor. */
export const createChangeState =
  (
    deps: Pick<AiActorsDeps, 'database' | 'rights' | 'schedules' | 'acting' | 'starting' | 'audit'>,
    action: StateAction,
  ) =>
  (by: CallerActor, id: number): Promise<AiActor> =>
    deps.database.transaction(async (tx) => {
      const actor = await lockManagedActor(deps, tx, by.caller, id);
      const next = transitions[action][actor.state];
      if (next === undefined)
        throw conflict(
          'actor-not-active',
          `This actor is ${actor.state.toLowerCase()}, so that it cannot ${action}.`,
        );
      if (next === 'Active') await requireFitOwner(deps, tx, actor);
      else await cancelOpenThink(deps, tx, id);
      await setActorState(tx, id, next);
      await deps.starting.setSchedule(tx, { ...actor, state: next });
      const event = next === 'Active' ? 'actor_resumed' : 'actor_paused';
      await recordActorEvent(deps.audit, tx, by, event, actor, { from: actor.state });
      return readActor(deps, tx, by.caller, id);
    });

/** Archives an actor and ends its open think and its pending plan. */
export const createArchive =
  (deps: Pick<AiActorsDeps, 'database' | 'rights' | 'closePlan' | 'starting' | 'audit'>) =>
  (by: CallerActor, id: number): Promise<void> =>
    deps.database.transaction(async (tx) => {
      const actor = await lockManagedActor(deps, tx, by.caller, id);
      if (actor.state === 'Archived') return;
      await cancelOpenThink(deps, tx, id);
      if (actor.pendingPlanId !== null)
        await deps.closePlan(tx, by, actor.pendingPlanId, { status: 'Expired', comment: null });
      await setActorState(tx, id, 'Archived');
      await deps.starting.setSchedule(tx, { ...actor, state: 'Archived' });
      await recordActorEvent(deps.audit, tx, by, 'actor_archived', actor);
    });

async function cancelOpenThink(
  { starting }: Pick<AiActorsDeps, 'starting'>,
  tx: Tx,
  actorId: number,
): Promise<void> {
  const openId = await starting.cancelOpen(tx, actorId);
  if (openId !== undefined) await endThink(tx, openId, { state: 'Cancelled' });
}
