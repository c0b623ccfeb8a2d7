import type { Tx } from '../../../platform/db/index.ts';
import { conflict, notFound } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { assertUnmanaged } from '../../managed-records/index.ts';
import { isRoutedTo } from '../../row-routing/index.ts';
import { attachRecipients, detachRecipient, lockSubscription } from '../store/index.ts';
import type { ChangeDeps } from './dependencies.ts';

type Deps = Pick<ChangeDeps, 'reader' | 'audit'>;

/** Attaches recipients. Throws 404 when one does not exist or is archived. */
export async function attachAll(
  tx: Tx,
  actor: CallerActor,
  id: number,
  recipientIds: readonly number[],
): Promise<void> {
  const distinctIds = [...new Set(recipientIds)];
  const count = await attachRecipients(tx, id, distinctIds, actor.caller.userId);
  if (count !== distinctIds.length) throw notFound();
}

/** Creates the function that attaches recipients to a subscription. */
export const createAddRecipients =
  ({ reader, audit }: Deps) =>
  async (tx: Tx, actor: CallerActor, id: number, recipientIds: readonly number[]): Promise<void> => {
    const row = await reader.require(tx, actor.caller, id, 'Write');
    await assertUnmanaged(tx, actor, 'Subscription', id);
    await attachAll(tx, actor, id, recipientIds);
    await audit.record(tx, {
      by: actor,
      event: 'subscriptions.recipients_added',
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
      detail: { recipientIds: [...recipientIds] },
    });
  };

/** Creates the function that detaches a recipient. It refuses a recipient of routed rows. */
export const createRemoveRecipient =
  ({ reader, audit }: Deps) =>
  async (tx: Tx, actor: CallerActor, id: number, recipientId: number): Promise<void> => {
    await lockSubscription(tx, id);
    const row = await reader.require(tx, actor.caller, id, 'Write');
    await assertUnmanaged(tx, actor, 'Subscription', id);
    if (await isRoutedTo(tx, id, recipientId))
      throw conflict(
        'recipient-routed',
        'Rows are routed to this recipient. Take it out of the routing first.',
      );
    if (!(await detachRecipient(tx, id, recipientId))) throw notFound();
    await audit.record(tx, {
      by: actor,
      event: 'subscriptions.recipient_removed',
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
      detail: { recipientId },
    });
  };
