import { type Static, Type } from 'typebox';
import { nullable, Time } from '../shapes.ts';

/** The most days for which a task or the alerts of a record can be put off. */
export const snoozeDaysMax = 90;

/** Puts the alerts of a record off. */
export const Snooze = Type.Object({
  until: nullable(Time, { description: 'Until when nobody is told; null ends the snooze.' }),
  reason: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
});
export type Snooze = Static<typeof Snooze>;
