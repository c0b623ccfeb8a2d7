import type { AlertNews, AlertRule, AlertState } from '@svc/contract';

/** What is known of an alert between two runs. */
export type AlertMemory = {
  readonly state: AlertState;
  /** Runs in a row that speak for the next state; 0 outside Pending and Recovering. */
  readonly streak: number;
  /** When it came to be as it is; a recovery that breaks off leaves the time of the firing. */
  readonly since: Date;
  /** What the recipients last heard. */
  readonly toldState: 'Ok' | 'Firing';
  /** When they heard that it fires; null: they did not. */
  readonly toldAt: Date | null;
  /** Time at which a user acknowledged the firing alert; null: no user did. */
  readonly acknowledgedAt: Date | null;
};

/** An alert of which no run has said anything yet. */
export const quiet = (now: Date): AlertMemory => ({
  ...{ state: 'Ok', streak: 0, since: now, toldState: 'Ok', toldAt: null, acknowledgedAt: null },
});

/** The alert after a run that found rows, or none. A run that failed says neither, and is no step. */
export function step(memory: AlertMemory, hasRows: boolean, rule: AlertRule, now: Date): AlertMemory {
  const next = hasRows ? withRows(memory, rule, now) : withoutRows(memory, rule, now);
  // Where nobody wants to hear of the end, the next opening is new again.
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

/** What is to be told of an alert as it stands; null: the recipients know it. */
export function newsOf(memory: AlertMemory, { remindMinutes }: AlertRule, now: Date): AlertNews | null {
  const { state, toldState, toldAt, acknowledgedAt } = memory;
  if (state === 'Ok') return toldState === 'Firing' ? 'Recovered' : null;
  if (state !== 'Firing') return null;
  if (toldState === 'Ok') return 'Opened';
  if (remindMinutes === null || toldAt === null || acknowledgedAt !== null) return null;
  return now.getTime() - toldAt.getTime() >= remindMinutes * minuteMs ? 'StillFiring' : null;
}
