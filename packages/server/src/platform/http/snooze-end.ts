import { plural, snoozeDaysMax } from '@svc/contract';
import { badRequest } from './refusals/refusal.ts';

const dayMs = 86_400_000;

/**
 * Parses the end of a snooze.
 *
 * @param path Body member with the value.
 * @throws Refusal 400 if the time is past or too far ahead.
 */
export function snoozeEnd(until: string, now: Date, path = '/until'): Date {
  const end = new Date(until);
  if (end > now && end.getTime() <= now.getTime() + snoozeDaysMax * dayMs) return end;
  throw badRequest('snooze-out-of-range', `Choose a time within the next ${plural(snoozeDaysMax, 'day')}.`, [
    { path, message: `must be within the next ${plural(snoozeDaysMax, 'day')}` },
  ]);
}
