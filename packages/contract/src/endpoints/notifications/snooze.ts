import { type Static, Type } from 'typebox';
import { nullable, Time } from '../../shapes.ts';

/** Days of a snooze of a task or of a record's alerts, at most. */
export const snoozeDaysMax = 90;

/** Snoozes the alerts of a record. */
export const Snooze = Type.Object({
  until: nullable(Time, {
    description: 'End of the snooze, during which no recipients are notified; null ends the snooze now.',
  }),
  reason: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
});
export type Snooze = Static<typeof Snooze>;
