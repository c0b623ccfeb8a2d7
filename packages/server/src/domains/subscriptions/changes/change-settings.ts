import type { SubscriptionChange } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import { brokenRule, changedMeanwhile, notFound } from '../../../platform/http/index.ts';
import { deleteAlert, requireClockTimes } from '../../alerts/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { assertUnmanaged } from '../../managed-records/index.ts';
import { deleteMemory } from '../../row-memory/index.ts';
import { requireRouting } from '../../row-routing/index.ts';
import { requireNotArchived } from '../requirements.ts';
import { changedNames, requireWatch, settingsAfter } from '../settings.ts';
import { lockSubscription, type SubscriptionRow, updateSettings } from '../store/index.ts';
import type { ChangeDeps, SubscriptionKey } from './dependencies.ts';

/** Changes the settings of a subscription, in the caller's transaction. */
export type ChangeSettings = (
  tx: Tx,
  actor: CallerActor,
  key: SubscriptionKey,
  change: SubscriptionChange,
) => Promise<void>;

/**
 * Creates the change of a subscription's settings. Query and schedule are excluded, so that runs remain comparable. A
 * replacement is created for another schedule.
 */
export const createChangeSettings =
  (
    deps: Pick<ChangeDeps, 'reader' | 'audit' | 'loadQuery' | 'checkParameters' | 'routings'>,
  ): ChangeSettings =>
  async (tx, actor, { id, version }, change) => {
    // Locked before it is read, so that no other caller changes it between the checks and the end.
    await lockSubscription(tx, id);
    const row = await deps.reader.require(tx, actor.caller, id, 'Write');
    await assertUnmanaged(tx, actor, 'Subscription', id);
    if (version !== undefined && version !== row.version) throw changedMeanwhile();
    requireNotArchived(row);
    requireRecipientOrTasks(row, change);
    if (change.parameters) {
      const query = await deps.loadQuery(tx, row.queryId);
      if (!query) throw notFound();
      deps.checkParameters(query, change.parameters);
    }
    const next = settingsAfter(row, change);
    requireWatch(next);
    requireClockTimes(next.quietHours);
    const recipientIds = row.recipients.map((recipient) => recipient.id);
    requireRouting(change.routing, row.routing, { ...next, recipientIds });
    const isRerouted = change.routing !== undefined && (await deps.routings.replace(tx, id, change.routing));
    const changed = [...changedNames(row, next), ...(isRerouted ? ['routing'] : [])];
    if (changed.length === 0) return;
    await updateSettings(tx, id, next);
    // The alert belongs to the earlier meaning of the rows.
    if (changed.some((name) => meaningOfRows.has(name))) await deleteAlert(tx, { kind: 'Subscription', id });
    if (changed.includes('notificationTrigger') || changed.includes('parameters')) await deleteMemory(tx, id);
    await deps.audit.record(tx, {
      by: actor,
      event: 'subscriptions.subscription_changed',
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
      // Only names: values of parameters may be personal data.
      detail: { changed },
    });
  };

/** Throws the refusal of turning off tasks while the subscription has no recipients. */
function requireRecipientOrTasks(row: SubscriptionRow, { createTasks }: SubscriptionChange): void {
  if (createTasks !== false || !row.createTasks || row.recipients.length > 0) return;
  throw brokenRule(
    'recipients-required',
    'Attach a recipient first: without one and without tasks, the subscription would alert nobody.',
    [{ path: '/createTasks', message: 'must stay while there is no recipient' }],
  );
}

/** Settings whose change makes all rows new. */
const meaningOfRows: ReadonlySet<string> = new Set(['notificationTrigger', 'minimumRowCount', 'parameters']);
