import { type Static, Type } from 'typebox';
import { wordOf } from '../../shapes.ts';

export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;
export type Weekday = (typeof weekdays)[number];

const ClockTime = (description: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', maxLength: 5, description });

/** Windows of quiet hours, at most. */
export const quietWindowsMax = 14;

/** Periods without notifications. Messages of a period are sent at its end. */
export const QuietHours = Type.Object(
  {
    timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA name, e.g. Europe/Zagreb.' }),
    windows: Type.Array(
      Type.Object({
        days: Type.Array(wordOf(weekdays), {
          minItems: 1,
          maxItems: weekdays.length,
          uniqueItems: true,
          description: 'Days on which the window begins.',
        }),
        from: ClockTime('Local time, `22:00`.'),
        to: ClockTime('Local time. If it is not after `from`, it is on the next day.'),
      }),
      { minItems: 1, maxItems: quietWindowsMax },
    ),
    criticalPasses: Type.Boolean({
      description: 'A message about a critical anomaly or a failed Critical rule is sent immediately.',
    }),
  },
  { $id: 'QuietHours' },
);
export type QuietHours = Static<typeof QuietHours>;
