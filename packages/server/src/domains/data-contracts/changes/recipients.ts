import type { Tx } from '../../../platform/db/index.ts';
import { notFound } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { lockUnmanaged } from '../reach.ts';
import { attachRecipients, detachRecipient } from '../store.ts';
import { recordChange } from './audit.ts';
import type { ChangeDeps } from './dependencies.ts';

type Deps = Pick<ChangeDeps, 'rights' | 'audit'>;

/** Attaches recipients. Throws 404 when one does not exist or is archived. */
export async function attachAll(
  tx: Tx,
  by: CallerActor,
  id: number,
  recipientIds: readonly number[],
): Promise<void> {
  const distinctIds = [...new Set(recipientIds)];
  const count = await attachRecipients(tx, id, distinctIds, by.caller.userId);
  if (count !== distinctIds.length) throw notFound();
}

/** Creates the function that attaches recipients to a contract. */
export const createAddRecipients =
  ({ rights, audit }: Deps) =>
  async (tx: Tx, by: CallerActor, id: number, recipientIds: readonly number[]): Promise<void> => {
    const row = await lockUnmanaged(rights, tx, by, id);
    await attachAll(tx, by, id, recipientIds);
    await recordChange(audit, tx, by, 'recipients_added', row, { recipientIds: [...recipientIds] });
  };

/** Creates the function that detaches a recipient. */
export const createRemoveRecipient =
  ({ rights, audit }: Deps) =>
  async (tx: Tx, by: CallerActor, id: number, recipientId: number): Promise<void> => {
    const row = await lockUnmanaged(rights, tx, by, id);
    if (!(await detachRecipient(tx, id, recipientId))) throw notFound();
    await recordChange(audit, tx, by, 'recipient_removed', row, { recipientId });
  };
