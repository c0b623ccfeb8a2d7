import { badRequest, brokenRule, notFound } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { findUsers } from '../../users/index.ts';
import { recordActorEvent } from '../audit.ts';
import { lockActor, setActorOwner } from '../store.ts';
import type { AiActorsDeps } from './deps.ts';

/** Gives an actor another owner. The route requires UserAdmin, who need not have access to the project. */
export const createChangeOwner =
  (deps: Pick<AiActorsDeps, 'database' | 'acting' | 'audit'>) =>
  (by: CallerActor, id: number, userId: number): Promise<void> =>
    deps.database.transaction(async (tx) => {
      const actor = await lockActor(tx, id);
      if (!actor) throw notFound();
      const [user] = await findUsers(tx, [userId]);
      if (!user?.isEnabled || user.archivedAt !== null)
        throw badRequest('unknown-user', 'The new owner must be an existing, enabled user.', [
          { path: '/userId', message: 'is no enabled user' },
        ]);
      if (!(await deps.acting.asOwner(tx, { ...actor, ownerUserId: userId })))
        throw brokenRule('invalid-ai-actor', 'The new owner may not write in the project of the actor.', [
          { path: '/userId', message: 'may not write in the project' },
        ]);
      await setActorOwner(tx, id, userId);
      const detail = { from: actor.ownerUserId, to: userId };
      await recordActorEvent(deps.audit, tx, by, 'owner_changed', actor, detail);
    });
