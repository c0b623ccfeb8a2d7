import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { requireOwner } from '../../subscriptions/index.ts';
import { existingContract } from '../reach.ts';
import { lockContract, setOwner } from '../store.ts';
import { recordChange } from './audit.ts';
import type { ChangeDeps } from './dependencies.ts';

/**
 * Creates the change of the owner to an enabled user with Write in the project. The route admits the caller: a
 * UserAdmin, who need not read the project.
 */
export const createChangeOwner =
  ({ rights, audit }: Pick<ChangeDeps, 'rights' | 'audit'>) =>
  async (tx: Tx, by: CallerActor, id: number, userId: number): Promise<void> => {
    await lockContract(tx, id);
    const row = await existingContract(tx, id);
    await requireOwner(tx, rights, userId, row.projectId);
    await setOwner(tx, id, userId);
    await recordChange(audit, tx, by, 'owner_changed', row, { from: row.ownerUserId, to: userId });
  };
