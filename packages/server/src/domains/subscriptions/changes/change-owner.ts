import type { Tx } from '../../../platform/db/index.ts';
import { notFound } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { requireOwner } from '../owner.ts';
import { findSubscription, setOwner } from '../store/index.ts';
import type { ChangeDeps } from './dependencies.ts';

/**
 * Creates the change of the owner to an enabled user with Write in the project. The route admits the caller: a
 * UserAdmin, who need not read the project.
 */
export const createChangeOwner =
  ({ rights, audit }: Pick<ChangeDeps, 'rights' | 'audit'>) =>
  async (tx: Tx, actor: CallerActor, id: number, userId: number): Promise<void> => {
    const row = await findSubscription(tx, id);
    if (!row) throw notFound();
    await requireOwner(tx, rights, userId, row.projectId);
    await setOwner(tx, id, userId);
    await audit.record(tx, {
      by: actor,
      event: 'subscriptions.owner_changed',
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
      detail: { from: row.ownerUserId, to: userId },
    });
  };
