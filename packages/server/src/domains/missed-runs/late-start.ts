import type { Tx } from '../../platform/db/index.ts';

/**
 * Locks a subscription against the watchdog until the transaction ends, so that a slot is not counted as missed while
 * its run starts.
 */
export async function lockAgainstWatchdog(tx: Tx, subscriptionId: number): Promise<void> {
  await tx.query({
    name: 'missed-lock-subscription',
    text: 'select from svc.subscriptions where id = $1 for no key update',
    values: [subscriptionId],
  });
}

/**
 * Removes a slot from the count of missed runs, because its run starts late. A slot counts either as run or as missed.
 * Call it after `lockAgainstWatchdog`, once per slot. Does nothing for a slot that was not counted.
 */
export async function uncountMissed(tx: Tx, subscriptionId: number, slotAt: Date): Promise<void> {
  await tx.query({
    name: 'missed-uncount',
    text: `update svc.missed_runs set missed_count = missed_count - 1
      where id = (select id from svc.missed_runs where subscription_id = $1 and reason = 'NotStarted'
          and $2 between first_due_at and last_due_at and missed_count > 0 order by first_due_at desc limit 1)`,
    values: [subscriptionId, slotAt],
  });
}
