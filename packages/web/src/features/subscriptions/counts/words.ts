import type { AnomalyDirections, AnomalySensitivity, AnomalyWatch } from '@svc/contract';
import { plural } from '../../../lib/format.ts';

export const sensitivityWords: Readonly<Record<AnomalySensitivity, string>> = {
  Low: 'Low: only large deviations',
  Medium: 'Medium',
  High: 'High: smaller deviations too',
};

export const directionWords: Readonly<Record<AnomalyDirections, string>> = {
  Both: 'More rows and fewer rows',
  Up: 'More rows only',
  Down: 'Fewer rows only',
};

/** Describes the anomaly detection in one sentence. */
export function watchInWords(watch: AnomalyWatch | null): string {
  if (watch === null) return 'Not watched';
  const how =
    watch.method === 'Percentage' ? `${watch.percent} % off the middle` : `${watch.sensitivity} sensitivity`;
  const way = watch.directions === 'Both' ? '' : `, ${directionWords[watch.directions].toLowerCase()}`;
  return `${how}${way}, from ${plural(watch.lookbackDays, 'day')}`;
}
