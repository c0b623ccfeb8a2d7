import type { QuietHours } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { quietUntil } from './quiet-hours.ts';

const everyDay = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const hours = (...windows: QuietHours['windows']): QuietHours => ({
  timeZone: 'Europe/Zagreb',
  windows,
  criticalPasses: false,
});
const nights = hours({ days: [...everyDay], from: '22:00', to: '07:00' });
const until = (quiet: QuietHours, at: string) => quietUntil(quiet, new Date(at))?.toISOString() ?? null;

describe('quiet hours', () => {
  test('include their start and exclude their end, also over midnight', () => {
    expect(until(nights, '2026-01-14T20:59:59Z')).toBeNull();
    expect(until(nights, '2026-01-14T21:00:00Z')).toBe('2026-01-15T06:00:00.000Z');
    expect(until(nights, '2026-01-15T05:59:00Z')).toBe('2026-01-15T06:00:00.000Z');
    expect(until(nights, '2026-01-15T06:00:00Z')).toBeNull();
  });

  test('begin on the configured days, and the morning after belongs to the day on which they began', () => {
    const friday = hours({ days: ['Friday'], from: '22:00', to: '07:00' });
    expect(until(friday, '2026-01-16T22:30:00Z')).toBe('2026-01-17T06:00:00.000Z');
    expect(until(friday, '2026-01-17T04:00:00Z')).toBe('2026-01-17T06:00:00.000Z');
    expect(until(friday, '2026-01-16T04:00:00Z')).toBeNull();
    expect(until(friday, '2026-01-17T22:30:00Z')).toBeNull();
  });

  test('adjacent windows count as one window', () => {
    const weekend = hours(
      { days: ['Friday'], from: '18:00', to: '00:00' },
      { days: ['Saturday', 'Sunday'], from: '00:00', to: '12:00' },
      { days: ['Saturday', 'Sunday'], from: '12:00', to: '00:00' },
      { days: ['Monday'], from: '00:00', to: '07:30' },
    );
    expect(until(weekend, '2026-01-16T18:00:00Z')).toBe('2026-01-19T06:30:00.000Z');
  });

  test('windows that cover all days still have an end', () => {
    const always = hours(
      { days: [...everyDay], from: '08:00', to: '07:59' },
      { days: [...everyDay], from: '07:59', to: '08:00' },
    );
    expect(until(always, '2026-01-16T18:00:00Z')).not.toBeNull();
  });

  test('follow the local clock when it changes', () => {
    // 29 March 2026: the clock skips from 02:00 to 03:00.
    expect(until(nights, '2026-03-28T21:30:00Z')).toBe('2026-03-29T05:00:00.000Z');
    const intoGap = hours({ days: [...everyDay], from: '01:00', to: '02:30' });
    expect(until(intoGap, '2026-03-29T00:15:00Z')).toBe('2026-03-29T01:00:00.000Z');
    // 25 October 2026: the clock returns from 03:00 to 02:00, so 02:30 occurs twice.
    expect(until(nights, '2026-10-24T20:30:00Z')).toBe('2026-10-25T06:00:00.000Z');
    const intoDouble = hours({ days: [...everyDay], from: '01:00', to: '02:30' });
    expect(until(intoDouble, '2026-10-25T00:10:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(until(intoDouble, '2026-10-25T00:45:00Z')).toBeNull();
    expect(until(intoDouble, '2026-10-25T01:10:00Z')).toBeNull();
  });
});
