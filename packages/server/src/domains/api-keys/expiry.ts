import { plural } from '@svc/contract';
import { brokenRule } from '../../platform/http/index.ts';

const defaultLifetimeDays = 90;
const dayMs = 86_400_000;
const date = /^\d{4}-\d{2}-\d{2}$/;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i;

const refuse = (message: string) =>
  brokenRule('invalid-expiry', `The expiry cannot be accepted: it ${message}.`, [
    { path: '/expiresAt', message },
  ]);

/**
 * Returns the expiry of a new key. A date means its first instant in UTC.
 *
 * @throws a 400 refusal if the value is not a time, not in the future, or beyond the maximum lifetime.
 */
export function expiryFrom(sent: string | null | undefined, maxLifetimeDays: number, at: Date): Date {
  const latest = new Date(at.getTime() + maxLifetimeDays * dayMs);
  const text = sent?.trim() ?? '';
  if (text === '') return new Date(at.getTime() + Math.min(defaultLifetimeDays, maxLifetimeDays) * dayMs);
  const expiry = date.test(text) || instant.test(text) ? new Date(text) : new Date(Number.NaN);
  // `new Date('2026-02-30')` is a day in March, so the date must match its input when it is formatted again.
  const isReal = !Number.isNaN(expiry.getTime()) && isRealDay(text);
  if (!isReal) throw refuse('must be a date (2026-12-31) or a point in time with its zone');
  if (expiry <= at) throw refuse('must be in the future');
  if (expiry > latest) throw refuse(`must be within ${plural(maxLifetimeDays, 'day')} from now`);
  return expiry;
}

function isRealDay(text: string): boolean {
  const day = text.slice(0, 10);
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}
