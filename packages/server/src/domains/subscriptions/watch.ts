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
} from '@svc/contract';
import { brokenRule } from '../../platform/http/index.ts';
import type { Settings } from './store/index.ts';

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
