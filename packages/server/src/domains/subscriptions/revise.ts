import type { SubscriptionChange } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { brokenRule, changedMeanwhile, notFound } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import type { ChangeSettings } from './change.ts';
import type { SubscriptionsDeps } from './service.ts';
import { attachRecipients, detachRecipient, lockSubscription, type SubscriptionRow } from './store/index.ts';

type Key = { readonly id: number; readonly version: number | undefined };

/** Creates the function that sets settings and recipients in the caller's transaction: both, or neither. */
export const createRevise =
  (
    deps: Pick<SubscriptionsDeps, 'audit'>,
    changeSettings: ChangeSettings,
    reach: (executor: Executor, caller: Caller, id: number, needed: 'Write') => Promise<SubscriptionRow>,
  ) =>
  async (
    tx: Tx,
    actor: CallerActor,
    { id, version }: Key,
    {
      recipientIds,
      ...change
    }: SubscriptionChange & { readonly recipientIds: readonly number[]; readonly createTasks: boolean },
  ): Promise<void> => {
    await lockSubscription(tx, id);
    const row = await reach(tx, actor.caller, id, 'Write');
    if (version !== undefined && version !== row.version) throw changedMeanwhile();
    if (recipientIds.length === 0 && !change.createTasks)
      throw brokenRule(
        'recipients-required',
        'Name at least one recipient, or have it create tasks: a subscription without either would alert nobody.',
        [{ path: '/recipientIds', message: 'must not be empty' }],
      );
    const present = row.recipients.map((recipient) => recipient.id);
    const added = recipientIds.filter((each) => !present.includes(each));
    const removed = present.filter((each) => !recipientIds.includes(each));
    const about = {
      by: actor,
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
    } as const;
    if (added.length > 0) {
      if ((await attachRecipients(tx, id, added, actor.caller.userId)) !== added.length) throw notFound();
      await deps.audit.record(tx, {
        ...about,
        event: 'subscriptions.recipients_added',
        detail: { recipientIds: added },
      });
    }
    // After adding recipients, because rows can be routed only to attached recipients. Before removing recipients, because
    // the routing must no longer name them.
    await changeSettings(tx, actor, { id, version: undefined }, change);
    for (const recipientId of removed) {
      await detachRecipient(tx, id, recipientId);
      await deps.audit.record(tx, {
        ...about,
        event: 'subscriptions.recipient_removed',
        detail: { recipientId },
      });
    }
  };
