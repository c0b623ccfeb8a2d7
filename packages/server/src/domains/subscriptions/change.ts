import type { SubscriptionChange } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import { brokenRule, changedMeanwhile, conflict, notFound } from '../../platform/http/index.ts';
import { deleteAlert, requireClockTimes } from '../alerts/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import { deleteMemory } from '../row-memory/index.ts';
import { requireRouting } from '../row-routing/index.ts';
import type { SubscriptionsDeps } from './service.ts';
import { lockSubscription, type Settings, type SubscriptionRow, updateSettings } from './store/index.ts';
import { alertOf, requireWatch, rowMemoryOf, watchOf } from './watch.ts';

/** Changes the settings of a subscription, in the caller's transaction. */
export type ChangeSettings = (
  tx: Tx,
  actor: CallerActor,
  key: { readonly id: number; readonly version: number | undefined },
  change: SubscriptionChange,
) => Promise<void>;

/**
 * Creates the change of a subscription's settings. Query and schedule are excluded, so that runs remain comparable. A
 * replacement is created for another schedule.
 *
 * @param reach  Returns the subscription when the caller has the right in its project, otherwise throws the refusal.
 */
export const createChangeSettings =
  (
    deps: Pick<SubscriptionsDeps, 'audit' | 'loadQuery' | 'checkParameters' | 'routings'>,
    reach: (tx: Tx, caller: Caller, id: number, needed: 'Write') => Promise<SubscriptionRow>,
  ): ChangeSettings =>
  async (tx, actor, { id, version }, change) => {
    // Locked before it is read, so that no other caller changes it between the checks and the end.
    await lockSubscription(tx, id);
    const row = await reach(tx, actor.caller, id, 'Write');
    await assertUnmanaged(tx, actor, 'Subscription', id);
    if (version !== undefined && version !== row.version) throw changedMeanwhile();
    if (row.archivedAt !== null)
      throw conflict('subscription-archived', 'This subscription is archived. Reactivate it first.');
    refuseNobody(row, change);
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

/** Refuses to turn off tasks for a subscription without recipients. */
function refuseNobody(row: SubscriptionRow, { createTasks }: SubscriptionChange): void {
  if (createTasks !== false || !row.createTasks || row.recipients.length > 0) return;
  throw brokenRule(
    'recipients-required',
    'Attach a recipient first: without one and without tasks, the subscription would alert nobody.',
    [{ path: '/createTasks', message: 'must stay while there is no recipient' }],
  );
}

const names = [
  'notificationTrigger',
  'minimumRowCount',
  'maxRows',
  'timeoutSeconds',
  'overlap',
  'showQuery',
  'storeResults',
  'includeAttachment',
  'attachmentFormat',
  'createTasks',
  'slaHours',
  'parameters',
  'anomaly',
  'alert',
  'rowMemory',
  'quietHours',
] as const satisfies readonly (keyof Settings)[];

/** Settings whose change makes all rows new. */
const meaningOfRows: ReadonlySet<string> = new Set(['notificationTrigger', 'minimumRowCount', 'parameters']);

/**
 * Returns the settings after a change. Absent members do not change. A file without a format is CSV, as in a new
 * subscription.
 */
function settingsAfter(row: SubscriptionRow, change: SubscriptionChange): Settings {
  const trigger = change.notificationTrigger ?? row.notificationTrigger;
  const includeAttachment = change.includeAttachment ?? row.includeAttachment;
  const format = change.attachmentFormat === undefined ? row.attachmentFormat : change.attachmentFormat;
  const keep = <T>(next: T | undefined, present: T): T => (next === undefined ? present : next);
  return {
    notificationTrigger: trigger,
    minimumRowCount: keep(change.minimumRowCount, row.minimumRowCount),
    maxRows: keep(change.maxRows, row.maxRows),
    timeoutSeconds: keep(change.timeoutSeconds, row.timeoutSeconds),
    overlap: change.overlap ?? row.overlap,
    showQuery: keep(change.showQuery, row.showQuery),
    storeResults: keep(change.storeResults, row.storeResults),
    includeAttachment,
    attachmentFormat: format ?? (includeAttachment ? 'Csv' : null),
    createTasks: keep(change.createTasks, row.createTasks),
    slaHours: keep(change.slaHours, row.slaHours),
    parameters: keep(change.parameters, row.parameters),
    anomaly: change.anomaly === undefined ? row.anomaly : watchOf(change.anomaly),
    quietHours: keep(change.quietHours, row.quietHours),
    alert: alertOf(trigger, change.alert, row.alert),
    rowMemory: rowMemoryOf(trigger, change.rowMemory, row.rowMemory),
  };
}

const changedNames = (row: SubscriptionRow, next: Settings): (keyof Settings)[] =>
  names.filter((name) => JSON.stringify(row[name]) !== JSON.stringify(next[name]));
