import {
  type AlertRule,
  type AlertRuleInput,
  type AnomalyWatch,
  type AnomalyWatchInput,
  alertDefaults,
  anomalyDefaults,
  type NotificationTrigger,
  type RowMemory,
  type RowMemoryInput,
  rowMemoryDefaults,
  type Schedule,
  type SubscriptionChange,
  type SubscriptionInput,
} from '@svc/contract';
import { brokenRule } from '../../platform/http/index.ts';
import type { Settings, SubscriptionRow } from './store/index.ts';

/** Returns the complete rule for watching counts, with defaults for absent members. */
export const watchOf = (input: AnomalyWatchInput | null): AnomalyWatch | null =>
  input && { ...anomalyDefaults, ...input };

/** Refuses the trigger `OnAnomaly` without watched counts. */
export function requireWatch({
  notificationTrigger,
  anomaly,
}: Pick<Settings, 'notificationTrigger' | 'anomaly'>): void {
  if (notificationTrigger !== 'OnAnomaly' || anomaly !== null) return;
  throw brokenRule('anomaly-required', 'The trigger OnAnomaly needs row counts that are watched.', [
    { path: '/anomaly', message: 'is required with this trigger' },
  ]);
}

/**
 * Returns the complete alert rule of `WhileRows`, with defaults for absent members. For other triggers it returns null
 * and refuses a rule.
 *
 * @param present  Current rule, if one exists.
 */
export function alertOf(
  trigger: NotificationTrigger,
  input: AlertRuleInput | null | undefined,
  present?: AlertRule | null,
): AlertRule | null {
  if (trigger === 'WhileRows')
    return input === undefined ? (present ?? alertDefaults) : { ...alertDefaults, ...input };
  if (input)
    throw brokenRule(
      'alert-without-trigger',
      'Only the trigger WhileRows keeps an alert. Choose it, or leave the alert out.',
      [{ path: '/alert', message: 'must be null with this trigger' }],
    );
  return null;
}

/**
 * Returns the complete row memory of `OnRowChange`, with defaults for absent members. For other triggers it returns
 * null and refuses a row memory.
 *
 * @param present  Current row memory, if one exists.
 */
export function rowMemoryOf(
  trigger: NotificationTrigger,
  input: RowMemoryInput | null | undefined,
  present?: RowMemory | null,
): RowMemory | null {
  if (trigger !== 'OnRowChange') {
    if (!input) return null;
    throw brokenRule(
      'row-memory-without-trigger',
      'Only the trigger OnRowChange remembers rows. Choose it, or leave the row memory out.',
      [{ path: '/rowMemory', message: 'must be null with this trigger' }],
    );
  }
  const memory = input === undefined ? (present ?? null) : input && { ...rowMemoryDefaults, ...input };
  if (memory === null)
    throw brokenRule(
      'row-memory-required',
      'The trigger OnRowChange needs the columns that rows are recognised by.',
      [{ path: '/rowMemory', message: 'is required with this trigger' }],
    );
  return memory;
}

const triggerDefault = 'OnResultCountChange';

/** Returns the settings of a new subscription, with defaults for absent members. */
export function newSubscription(
  input: SubscriptionInput,
  schedule: Pick<Schedule, 'cronExpression' | 'timeZone'>,
) {
  const notificationTrigger = input.notificationTrigger ?? triggerDefault;
  return {
    queryId: input.queryId,
    cronExpression: schedule.cronExpression,
    timeZone: schedule.timeZone,
    notificationTrigger,
    minimumRowCount: input.minimumRowCount ?? null,
    maxRows: input.maxRows ?? null,
    timeoutSeconds: input.timeoutSeconds ?? null,
    overlap: input.overlap ?? 'Skip',
    showQuery: input.showQuery ?? false,
    // The reader of an alert needs its rows first.
    storeResults: input.storeResults ?? notificationTrigger === 'WhileRows',
    includeAttachment: input.includeAttachment ?? false,
    // The default is CSV, because an attachment without a format would be missing.
    attachmentFormat: input.attachmentFormat ?? (input.includeAttachment ? 'Csv' : null),
    createTasks: input.createTasks ?? false,
    slaHours: input.slaHours ?? null,
    parameters: input.parameters ?? {},
    anomaly: watchOf(input.anomaly ?? null),
    alert: alertOf(notificationTrigger, input.alert),
    rowMemory: rowMemoryOf(notificationTrigger, input.rowMemory),
    quietHours: input.quietHours ?? null,
  } as const;
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

/**
 * Returns the settings after a change. Absent members do not change. A file without a format is CSV, as in a new
 * subscription.
 */
export function settingsAfter(row: SubscriptionRow, change: SubscriptionChange): Settings {
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

/** Returns the names of the settings that differ. */
export const changedNames = (row: SubscriptionRow, next: Settings): (keyof Settings)[] =>
  names.filter((name) => JSON.stringify(row[name]) !== JSON.stringify(next[name]));
