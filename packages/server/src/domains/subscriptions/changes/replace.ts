import type { Tx } from '../../../platform/db/index.ts';
import { changedMeanwhile } from '../../../platform/http/index.ts';
import { moveAlert } from '../../alerts/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { assertUnmanaged } from '../../managed-records/index.ts';
import { notApproved } from '../../queries/index.ts';
import { moveMemory } from '../../row-memory/index.ts';
import { refusingUnreadable } from '../../row-routing/index.ts';
import { requireNotArchived, requireQuery } from '../requirements.ts';
import {
  attachRecipients,
  insertSubscription,
  lockSubscription,
  type SubscriptionRow,
  setArchived,
  setOwner,
  setPaused,
  setSnooze,
} from '../store/index.ts';
import type { ChangeDeps, SubscriptionKey } from './dependencies.ts';

type NewSchedule = { readonly cronExpression: string; readonly timeZone: string };

type Deps = Pick<
  ChangeDeps,
  'reader' | 'audit' | 'loadQuery' | 'setSchedule' | 'moveOpenTask' | 'moveDefinition' | 'routings'
>;

/**
 * Creates the function that replaces a subscription with a new one, which has another schedule, and archives the old
 * one. Alert state, stored rows, routing, open task, pause, snooze and owner move to the new one. Runs remain with the
 * old one. It returns the id of the new one.
 */
export const createReplace =
  (deps: Deps) =>
  async (
    tx: Tx,
    actor: CallerActor,
    { id, version }: SubscriptionKey,
    schedule: NewSchedule,
  ): Promise<number> => {
    await lockSubscription(tx, id);
    const row = await deps.reader.require(tx, actor.caller, id, 'Write');
    await assertUnmanaged(tx, actor, 'Subscription', id);
    if (version !== undefined && version !== row.version) throw changedMeanwhile();
    requireNotArchived(row);
    const query = await deps.loadQuery(tx, row.queryId);
    requireQuery(query);
    if (query.activeVersionId === null) throw notApproved();
    const newId = await insertCopy(tx, actor, row, schedule);
    if (row.routing !== null) await refusingUnreadable(() => deps.routings.copy(tx, id, newId));
    if (row.snoozedUntil !== null) await setSnooze(tx, newId, row.snoozedUntil, row.snoozeReason);
    await setArchived(tx, id, true);
    await deps.setSchedule(tx, id, undefined);
    if (row.pausedAt === null) await deps.setSchedule(tx, newId, schedule);
    else await setPaused(tx, newId, true);
    await moveAlert(tx, id, newId);
    await moveMemory(tx, id, newId);
    await deps.moveOpenTask(tx, id, newId);
    await deps.moveDefinition(tx, id, newId);
    const about = { by: actor, projectId: row.projectId } as const;
    await deps.audit.record(tx, {
      ...about,
      event: 'subscriptions.subscription_created',
      subject: { kind: 'subscription', id: newId },
      detail: { replaces: id },
    });
    await deps.audit.record(tx, {
      ...about,
      event: 'subscriptions.subscription_archived',
      subject: { kind: 'subscription', id },
      detail: { replacedBy: newId },
    });
    return newId;
  };

/** Inserts a subscription with the settings, owner and recipients of another one. Returns its id. */
async function insertCopy(
  tx: Tx,
  actor: CallerActor,
  row: SubscriptionRow,
  { cronExpression, timeZone }: NewSchedule,
): Promise<number> {
  const { userId } = actor.caller;
  const id = await insertSubscription(tx, {
    ...row,
    replacesId: row.id,
    ownerUserId: userId,
    cronExpression,
    timeZone,
  });
  if (row.ownerUserId !== null && row.ownerUserId !== userId) await setOwner(tx, id, row.ownerUserId);
  const recipientIds = row.recipients.map((recipient) => recipient.id);
  await attachRecipients(tx, id, recipientIds, userId);
  return id;
}
