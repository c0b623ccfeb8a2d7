import type { SubscriptionChange } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import { changedMeanwhile, notFound } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { requireAudience } from '../requirements.ts';
import { attachRecipients, detachRecipient, lockSubscription } from '../store/index.ts';
import type { ChangeSettings } from './change-settings.ts';
import type { ChangeDeps, SubscriptionKey } from './dependencies.ts';

type Revision = SubscriptionChange & {
  readonly recipientIds: readonly number[];
  readonly createTasks: boolean;
};

/** Creates the function that sets settings and recipients in the caller's transaction: both, or neither. */
export const createRevise =
  ({ reader, audit }: Pick<ChangeDeps, 'reader' | 'audit'>, changeSettings: ChangeSettings) =>
  async (
    tx: Tx,
    actor: CallerActor,
    { id, version }: SubscriptionKey,
    { recipientIds, ...change }: Revision,
  ): Promise<void> => {
    await lockSubscription(tx, id);
    const row = await reader.require(tx, actor.caller, id, 'Write');
    if (version !== undefined && version !== row.version) throw changedMeanwhile();
    requireAudience({ recipientIds, createTasks: change.createTasks });
    const attachedIds = row.recipients.map((recipient) => recipient.id);
    const addedIds = recipientIds.filter((each) => !attachedIds.includes(each));
    const removedIds = attachedIds.filter((each) => !recipientIds.includes(each));
    const about = {
      by: actor,
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
    } as const;
    if (addedIds.length > 0) {
      const count = await attachRecipients(tx, id, addedIds, actor.caller.userId);
      if (count !== addedIds.length) throw notFound();
      await audit.record(tx, {
        ...about,
        event: 'subscriptions.recipients_added',
        detail: { recipientIds: addedIds },
      });
    }
    // After adding recipients, because rows can be routed only to attached recipients. Before removing recipients, because
    // the routing must no longer name them.
    await changeSettings(tx, actor, { id, version: undefined }, change);
    for (const recipientId of removedIds) {
      await detachRecipient(tx, id, recipientId);
      await audit.record(tx, {
        ...about,
        event: 'subscriptions.recipient_removed',
        detail: { recipientId },
      });
    }
  };
