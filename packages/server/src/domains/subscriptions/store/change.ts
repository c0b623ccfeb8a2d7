import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/index.ts';
import { type Settings, settingsColumns } from './settings.ts';

export type NewSubscription = Settings & {
  queryId: number;
  ownerUserId: number | null;
  /** AI actor that creates it. */
  aiActorId?: number;
  /** Subscription that it replaces. */
  replacesId?: number;
  cronExpression: string;
  timeZone: string;
};

export async function insertSubscription(tx: Tx, subscription: NewSubscription): Promise<number> {
  const { id } = await tx.kysely
    .insertInto('svc.subscriptions')
    .values({
      query_id: subscription.queryId,
      owner_user_id: subscription.ownerUserId,
      created_by_user_id: subscription.ownerUserId,
      ai_actor_id: subscription.aiActorId ?? null,
      replaces_id: subscription.replacesId ?? null,
      cron_expression: subscription.cronExpression,
      time_zone: subscription.timeZone,
      ...settingsColumns(subscription),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Attaches the existing recipients that are not archived. Attached recipients do not change. Returns the number of
 * existing recipients.
 */
export async function attachRecipients(
  tx: Tx,
  subscriptionId: number,
  recipientIds: readonly number[],
  userId: number | null,
): Promise<number> {
  // Locked, so that no recipient is archived between this check and the commit.
  const { rowCount } = await tx.query(
    'select id from svc.recipients where id = any($1::int[]) and archived_at is null for share',
    [recipientIds],
  );
  await tx.query(
    `insert into svc.subscription_recipients (subscription_id, recipient_id, attached_by_user_id)
     select $1, r.id, $3 from svc.recipients r where r.id = any($2::int[]) and r.archived_at is null
     on conflict do nothing`,
    [subscriptionId, recipientIds, userId],
  );
  return rowCount ?? 0;
}

/** Returns false when the recipient was not attached. */
export async function detachRecipient(tx: Tx, subscriptionId: number, recipientId: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    'delete from svc.subscription_recipients where subscription_id = $1 and recipient_id = $2',
    [subscriptionId, recipientId],
  );
  return rowCount === 1;
}

/**
 * Archives or reactivates a subscription. Returns false when it has that state already.
 *
 * @param stoppedReason  Reason when the service itself archives it; null for a user.
 */
export async function setArchived(
  tx: Tx,
  id: number,
  isArchived: boolean,
  stoppedReason: string | null = null,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.subscriptions set archived_at = case when $2 then now() end, updated_at = now(), version = version + 1,
       stopped_reason = $3, watch_due_at = null, schedule_changed_at = now(), paused_at = null
     where id = $1 and (archived_at is null) = $2`,
    [id, isArchived, stoppedReason],
  );
  return rowCount === 1;
}

/** Pauses or resumes a subscription that is not archived. Returns false when it has that state already. */
export async function setPaused(tx: Tx, id: number, isPaused: boolean): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.subscriptions set paused_at = case when $2 then now() end, updated_at = now(), version = version + 1,
       watch_due_at = null, schedule_changed_at = now()
     where id = $1 and archived_at is null and (paused_at is null) = $2`,
    [id, isPaused],
  );
  return rowCount === 1;
}

export async function setOwner(tx: Tx, id: number, userId: number): Promise<void> {
  await tx.query(
    'update svc.subscriptions set owner_user_id = $2, updated_at = now(), version = version + 1 where id = $1',
    [id, userId],
  );
}

/** Locks a subscription for a change. Other transactions can still add rows that refer to it. */
export async function lockSubscription(tx: Tx, id: number): Promise<void> {
  await tx.query('select from svc.subscriptions where id = $1 for no key update', [id]);
}

/** Writes all settings of a subscription. */
export async function updateSettings(tx: Tx, id: number, settings: Settings): Promise<void> {
  await tx.kysely
    .updateTable('svc.subscriptions')
    .set({
      ...settingsColumns(settings),
      updated_at: sql`now()`,
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute();
}

/** Sets the hours within which new tasks are due; null: no due time. */
export async function setSla(tx: Tx, id: number, slaHours: number | null): Promise<void> {
  await tx.query(
    'update svc.subscriptions set sla_hours = $2, updated_at = now(), version = version + 1 where id = $1',
    [id, slaHours],
  );
}

/** Suppresses the notifications of scheduled runs until a time; null ends the snooze. */
export async function setSnooze(
  tx: Tx,
  id: number,
  until: Date | null,
  reason: string | null,
): Promise<void> {
  await tx.query('update svc.subscriptions set snoozed_until = $2, snooze_reason = $3 where id = $1', [
    id,
    until,
    reason,
  ]);
}
