import type { Tx } from '../../platform/db/index.ts';
import { changedMeanwhile, conflict } from '../../platform/http/index.ts';
import { moveAlert } from '../alerts/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { notApproved } from '../queries/index.ts';
import { moveMemory } from '../row-memory/index.ts';
import { refusingUnreadable } from '../row-routing/index.ts';
import type { SubscriptionsDeps } from './service.ts';
import {
  attachRecipients,
  insertSubscription,
  type SubscriptionRow,
  setArchived,
  setOwner,
  setPaused,
  setSnooze,
} from './store/index.ts';

type NewSchedule = { readonly cronExpression: string; readonly timeZone: string };

/**
 * Creates a subscription that differs only in its schedule, and archives the previous subscription. Alert state, stored
 * rows, routing, open task, pause, snooze and owner move to the new one. Runs remain with the old one.
 *
 * @returns the id of the new subscription.
 */
export async function replaceWith(
  tx: Tx,
  deps: Pick<
    SubscriptionsDeps,
    'audit' | 'loadQuery' | 'setSchedule' | 'moveOpenTask' | 'moveDefinition' | 'routings'
  >,
  actor: CallerActor,
  { row, version }: { readonly row: SubscriptionRow; readonly version: number | undefined },
  schedule: NewSchedule,
): Promise<number> {
  if (version !== undefined && version !== row.version) throw changedMeanwhile();
  if (row.archivedAt !== null)
    throw conflict('subscription-archived', 'This subscription is archived. Reactivate it first.');
  const query = await deps.loadQuery(tx, row.queryId);
  if (!query)
    throw conflict('query-gone', 'The query of this subscription was archived. Subscribe to another one.');
  if (query.activeVersionId === null) throw notApproved();
  const { cronExpression, timeZone } = schedule;
  const id = await insertSubscription(tx, {
    ...row,
    replacesId: row.id,
    ownerUserId: actor.caller.userId,
    cronExpression,
    timeZone,
  });
  if (row.ownerUserId !== null && row.ownerUserId !== actor.caller.userId)
    await setOwner(tx, id, row.ownerUserId);
  await attachRecipients(
    tx,
    id,
    row.recipients.map((recipient) => recipient.id),
    actor.caller.userId,
  );
  if (row.routing !== null) await refusingUnreadable(() => deps.routings.copy(tx, row.id, id));
  if (row.snoozedUntil !== null) await setSnooze(tx, id, row.snoozedUntil, row.snoozeReason);
  await setArchived(tx, row.id, true);
  await deps.setSchedule(tx, row.id, undefined);
  if (row.pausedAt === null) await deps.setSchedule(tx, id, schedule);
  else await setPaused(tx, id, true);
  await moveAlert(tx, row.id, id);
  await moveMemory(tx, row.id, id);
  await deps.moveOpenTask(tx, row.id, id);
  await deps.moveDefinition(tx, row.id, id);
  const about = { by: actor, projectId: row.projectId } as const;
  await deps.audit.record(tx, {
    ...about,
    event: 'subscriptions.subscription_created',
    subject: { kind: 'subscription', id },
    detail: { replaces: row.id },
  });
  await deps.audit.record(tx, {
    ...about,
    event: 'subscriptions.subscription_archived',
    subject: { kind: 'subscription', id: row.id },
    detail: { replacedBy: id },
  });
  return id;
}
