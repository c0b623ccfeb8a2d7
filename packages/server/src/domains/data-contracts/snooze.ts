import { contractSnoozeDaysMax } from '@svc/contract';
import { badRequest } from '../../platform/http/index.ts';

const dayMs = 86_400_000;

/**
 * Reads the end of a snooze; null ends one.
 *
 * @throws Refusal 400 where it is past or too far.
 */
export function snoozeEnd(until: string | null, now: Date): Date | null {
  if (until === null) return null;
  const end = new Date(until);
  if (end > now && end.getTime() <= now.getTime() + contractSnoozeDaysMax * dayMs) return end;
  throw badRequest('snooze-out-of-range', `Choose a time within the next ${contractSnoozeDaysMax} days.`, [
    { path: '/until', message: `must be within the next ${contractSnoozeDaysMax} days` },
  ]);
}
