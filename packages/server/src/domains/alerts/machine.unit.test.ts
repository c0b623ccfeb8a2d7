import { type AlertNews, type AlertRule, alertDefaults } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AlertMemory, notificationOf, quietAlert, step } from './machine.ts';

const start = new Date('2026-03-01T00:00:00Z');
const minuteMs = 60_000;
/** Minutes between two runs of the generated sequences. */
const everyMinutes = 10;
const sequences = 10_000;

type Event = { readonly hasRows: boolean; readonly isNotified: boolean };

/** Returns the notifications of a sequence of runs. `isNotified` false: the alert was snoozed. */
function notificationsOf(rule: AlertRule, events: readonly Event[]): (AlertNews | null)[] {
  let memory = quietAlert(start);
  return events.map(({ hasRows, isNotified }, index) => {
    const now = new Date(start.getTime() + index * everyMinutes * minuteMs);
    memory = step(memory, hasRows, rule, now);
    const notification = isNotified ? notificationOf(memory, rule, now) : null;
    if (notification !== null) memory = withNotice(memory, notification, now);
    return notification;
  });
}

const withNotice = (memory: AlertMemory, notification: AlertNews, now: Date): AlertMemory =>
  notification === 'Recovered'
    ? { ...memory, toldState: 'Ok', toldAt: null }
    : { ...memory, toldState: 'Firing', toldAt: now };

/** Reference implementation without a memory: evaluates the whole sequence at every run. */
function expected(rule: AlertRule, events: readonly Event[]): (AlertNews | null)[] {
  let notifiedAt: number | null = null;
  return events.map(({ isNotified }, index) => {
    const state = stateAfter(rule, events.slice(0, index + 1));
    if (!rule.tellsRecovery && state === 'Ok') notifiedAt = null;
    if (!isNotified) return null;
    if (state === 'Firing' && notifiedAt === null) {
      notifiedAt = index;
      return 'Opened';
    }
    const isDue =
      rule.remindMinutes !== null &&
      notifiedAt !== null &&
      (index - notifiedAt) * everyMinutes >= rule.remindMinutes;
    if (state === 'Firing' && isDue) {
      notifiedAt = index;
      return 'StillFiring';
    }
    if (state === 'Ok' && notifiedAt !== null) {
      notifiedAt = null;
      return 'Recovered';
    }
    return null;
  });
}

/** Returns the state from the last consecutive runs: enough with rows open the alert, enough without rows close it. */
function stateAfter({ pendingRuns, recoverRuns }: AlertRule, events: readonly Event[]) {
  let isOpen = false;
  for (let end = 1; end <= events.length; end += 1) {
    const tail = (length: number, hasRows: boolean) =>
      end >= length && events.slice(end - length, end).every((event) => event.hasRows === hasRows);
    if (!isOpen && tail(pendingRuns, true)) isOpen = true;
    else if (isOpen && tail(recoverRuns, false)) isOpen = false;
  }
  const last = events.at(-1)?.hasRows ?? false;
  if (isOpen) return last ? 'Firing' : 'Recovering';
  return last ? 'Pending' : 'Ok';
}

const rules = fc.record({
  pendingRuns: fc.integer({ min: 1, max: 4 }),
  recoverRuns: fc.integer({ min: 1, max: 4 }),
  remindMinutes: fc.option(fc.integer({ min: 15, max: 60 })),
  tellsRecovery: fc.boolean(),
});
const runs = fc.array(fc.record({ hasRows: fc.boolean(), isNotified: fc.boolean() }), {
  minLength: 1,
  maxLength: 40,
});

describe('the alert machine', () => {
  test(`sends the same notifications as a computation over all previous runs, in ${sequences} sequences`, () => {
    fc.assert(
      fc.property(rules, runs, (rule, events) => {
        expect(notificationsOf(rule, events)).toEqual(expected(rule, events));
      }),
      { numRuns: sequences },
    );
  });

  const after = (rule: Partial<AlertRule>, ...rows: number[]) =>
    notificationsOf(
      { ...alertDefaults, ...rule },
      rows.map((count) => ({ hasRows: count > 0, isNotified: true })),
    );

  test('notifies when rows appear and when they are gone, and not in between', () => {
    expect(after({}, 0, 2, 3, 0, 0, 1)).toEqual([null, 'Opened', null, 'Recovered', null, 'Opened']);
  });

  test('waits for the configured number of runs before both kinds of notification', () => {
    expect(after({ pendingRuns: 2, recoverRuns: 2 }, 1, 0, 1, 1, 0, 1, 0, 0)).toEqual([
      null,
      null,
      null,
      'Opened',
      null,
      null,
      null,
      'Recovered',
    ]);
  });

  test('sends a reminder after the configured time, counted from the last notification', () => {
    expect(after({ remindMinutes: 20 }, 1, 1, 1, 1, 1)).toEqual([
      'Opened',
      null,
      'StillFiring',
      null,
      'StillFiring',
    ]);
  });

  test('an interrupted recovery leaves the start time of the alert unchanged', () => {
    const rule = { ...alertDefaults, recoverRuns: 3 };
    const at = (minutes: number) => new Date(start.getTime() + minutes * minuteMs);
    let memory = step(quietAlert(start), true, rule, at(1));
    memory = step(memory, false, rule, at(2));
    memory = step(memory, true, rule, at(3));
    expect(memory).toMatchObject({ state: 'Firing', since: at(1), streak: 0 });
  });
});
