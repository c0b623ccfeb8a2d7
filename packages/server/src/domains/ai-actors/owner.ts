import type { Caller } from '../../platform/access/index.ts';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { includesRight, type ProjectRights } from '../projects/index.ts';
import { findUsers } from '../users/index.ts';
import { actingAs } from './access.ts';

export type Acting = ReturnType<typeof createActing>;

type Owned = { readonly id: number; readonly projectId: number; readonly ownerUserId: number };

/** Creates the functions that determine the identity of an actor. */
export function createActing(rights: Pick<ProjectRights, 'rightIn'>) {
  const asOwner = async (executor: Executor, actor: Owned): Promise<Caller | undefined> => {
    const [owner] = await findUsers(executor, [actor.ownerUserId]);
    if (!owner) return undefined;
    const caller = actingAs(owner, actor);
    return includesRight(await rights.rightIn(executor, caller, actor.projectId), 'Write')
      ? caller
      : undefined;
  };

  return {
    /** Returns the owner as caller. Undefined if the owner is disabled or may not write in the project. */
    asOwner,
    /** Like `asOwner`, but locks the owner's user and membership rows until the transaction ends. */
    asOwnerHeld: async (tx: Tx, actor: Owned): Promise<Caller | undefined> => {
      await tx.query('select from svc.users where id = $1 for share', [actor.ownerUserId]);
      await tx.query('select from svc.project_members where project_id = $1 and user_id = $2 for share', [
        actor.projectId,
        actor.ownerUserId,
      ]);
      return asOwner(tx, actor);
    },
  };
}
