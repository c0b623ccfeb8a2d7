import { describe, expect, test } from 'vitest';
import { firstQuietHours, namesOf, numbersOf, quietInWords, windowError } from './quiet-hours.ts';

const night = { days: ['Monday' as const], from: '22:00', to: '07:00' };

describe('quiet hours', () => {
  test.each([
    ['no day', { days: [] }, 'Choose a day.'],
    ['no time', { to: '' }, 'Give both times.'],
    ['two equal times', { to: '22:00' }, 'The two times must differ.'],
  ])('a window with %s is refused', (_what, part, error) => {
    expect(windowError({ ...night, ...part })).toBe(error);
  });

  test('a valid window is accepted', () => expect(windowError(night)).toBeUndefined());

  test('days convert to numbers and back, in the order of the week', () => {
    expect(numbersOf(['Sunday', 'Monday'])).toEqual([0, 1]);
    expect(namesOf([0, 6, 1])).toEqual(['Monday', 'Saturday', 'Sunday']);
  });

  test('a description states the windows, days and time zone', () => {
    expect(quietInWords(null)).toBe('None');
    expect(quietInWords(firstQuietHours('Europe/Zagreb'))).toBe('22:00 to 07:00, every day (Europe/Zagreb)');
    const days = namesOf([1, 2, 3, 4, 5]);
    const weekend = { days: namesOf([6, 0]), from: '00:00', to: '23:59' };
    expect(
      quietInWords({ timeZone: 'UTC', windows: [{ ...night, days }, weekend], criticalPasses: true }),
    ).toBe('22:00 to 07:00, Mon to Fri; 00:00 to 23:59, Sat, Sun (UTC)');
  });
});
