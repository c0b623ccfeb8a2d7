import { type AnomalyWatch, type AnomalyWatchInput, anomalyDefaults } from '@svc/contract';
import { brokenRule } from '../../platform/http/index.ts';
import type { Settings } from './store.ts';

/** How counts are to be watched: whole, with the defaults for what was left out. */
export const watchOf = (input: AnomalyWatchInput | null): AnomalyWatch | null =>
  input && { ...anomalyDefaults, ...input };

/** Refuses to tell of what nobody looks for. */
export function requireWatch({
  notificationTrigger,
  anomaly,
}: Pick<Settings, 'notificationTrigger' | 'anomaly'>): void {
  if (notificationTrigger !== 'OnAnomaly' || anomaly !== null) return;
  throw brokenRule('anomaly-required', 'The trigger OnAnomaly needs row counts that are watched.', [
    { path: '/anomaly', message: 'is required with this trigger' },
  ]);
}
