import type { AlertNews, AlertRule, AlertState } from '@svc/contract';

/** State of an alert between two runs. */
export type AlertMemory = {
  readonly state: AlertState;
  /** Consecutive runs towards the next state; 0 except in Pending and Recovering. */
  readonly streak: number;
  /** Start of the current state. An aborted recovery restores the start of Firing. */
  readonly since: Date;
  /** State in the last notification of the recipients. */
  readonly toldState: 'Ok' | 'Firing';
  /** Time of the last notification that the alert is firing. Null: none was sent. */
  readonly toldAt: Date | null;
  /** Time at which a user acknowledged the firing alert; null: no user did. */
  readonly acknowledgedAt: Date | null;
};

/** Returns an alert before its first run. */
export const quietAlert = (now: Date): AlertMemory => ({
  state: 'Ok',
  streak: 0,
  since: now,
  toldState: 'Ok',
  toldAt: null,
  acknowledgedAt: null,
});

/** Returns the alert after a run with or without rows. Failed runs are not passed to this function. */
export function step(memory: AlertMemory, hasRows: boolean, rule: AlertRule, now: Date): AlertMemory {
  const next = hasRows ? withRows(memory, rule, now) : withoutRows(memory, rule, now);
  // Without recovery notifications the next opening must be reported as new.
  return next.state === 'Ok' && !rule.tellsRecovery ? { ...next, toldState: 'Ok', toldAt: null } : next;
}

function withRows(memory: AlertMemory, { pendingRuns }: AlertRule, now: Date): AlertMemory {
  switch (memory.state) {
    case 'Ok':
    case 'Pending': {
      const streak = memory.streak + 1;
      if (streak >= pendingRuns) return { ...memory, state: 'Firing', streak: 0, since: now };
      return { ...memory, state: 'Pending', streak, since: memory.state === 'Ok' ? now : memory.since };
    }
    case 'Firing':
    case 'Recovering':
      return { ...memory, state: 'Firing', streak: 0 };
  }
}

function withoutRows(memory: AlertMemory, { recoverRuns }: AlertRule, now: Date): AlertMemory {
  switch (memory.state) {
    case 'Ok':
      return memory;
    case 'Pending':
      return { ...memory, state: 'Ok', streak: 0, since: now };
    case 'Firing':
    case 'Recovering': {
      const streak = memory.streak + 1;
      if (streak >= recoverRuns)
        return { ...memory, state: 'Ok', streak: 0, since: now, acknowledgedAt: null };
      return { ...memory, state: 'Recovering', streak };
    }
  }
}

const minuteMs = 60_000;

/** Returns the pending notification of an alert, or null if there is none. */
export function notificationOf(
  memory: AlertMemory,
  { remindMinutes }: AlertRule,
  now: Date,
): AlertNews | null {
  const { state, toldState, toldAt, acknowledgedAt } = memory;
  if (state === 'Ok') return toldState === 'Firing' ? 'Recovered' : null;
  if (state !== 'Firing') return null;
  if (toldState === 'Ok') return 'Opened';
  if (remindMinutes === null || toldAt === null || acknowledgedAt !== null) return null;
  return now.getTime() - toldAt.getTime() >= remindMinutes * minuteMs ? 'StillFiring' : null;
}
