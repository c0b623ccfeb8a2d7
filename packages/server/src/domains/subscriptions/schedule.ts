import type { Schedule } from '@svc/contract';
import { parseSchedule } from '@svc/jobs';
import { badRequest, brokenRule } from '../../platform/http/index.ts';

const shownTimes = 5;

export type Schedules = {
  /** Checks a schedule and tells it in words; a refusal says what is wrong with it. */
  readonly explain: (cronExpression: string, timeZone: string | undefined) => Promise<Schedule>;
  /** The same for a stored schedule: never refuses, shows an unreadable one as it is. */
  readonly present: (cronExpression: string, timeZone: string, isActive: boolean) => Schedule;
};

/** Schedules are checked, explained and fired by one parser: the job library's. */
export function createSchedules(options: {
  minimumIntervalSeconds: number;
  /** Asked when a schedule names none. */
  defaultTimeZone: () => Promise<string>;
  now: () => Date;
}): Schedules {
  const describe = (cronExpression: string, timeZone: string): Schedule & { shortestSeconds: number } => {
    const parsed = parseSchedule(cronExpression, timeZone);
    return {
      cronExpression,
      timeZone,
      description: parsed.describe(),
      nextTimes: parsed.next(shownTimes, options.now()).map((time) => time.toISOString()),
      shortestSeconds: parsed.minimumIntervalSeconds,
    };
  };
  return {
    explain: async (cronExpression, named) => {
      const timeZone = named ?? (await options.defaultTimeZone());
      const { shortestSeconds, ...schedule } = explainOrRefuse(() =>
        describe(cronExpression.trim(), timeZone),
      );
      if (shortestSeconds < options.minimumIntervalSeconds) {
        const detail = `This schedule fires every ${shortestSeconds} s at its densest. The shortest interval allowed is ${options.minimumIntervalSeconds} s (Svc:Subscriptions:MinimumIntervalSeconds).`;
        throw brokenRule('schedule-too-dense', detail, [{ path: '/cronExpression', message: detail }]);
      }
      if (schedule.nextTimes.length === 0) {
        throw brokenRule('schedule-never-fires', 'This schedule never fires: no such date exists.', [
          { path: '/cronExpression', message: 'never fires' },
        ]);
      }
      return schedule;
    },
    present: (cronExpression, timeZone, isActive) => {
      try {
        const { shortestSeconds: _, ...schedule } = describe(cronExpression, timeZone);
        return isActive ? schedule : { ...schedule, nextTimes: [] };
      } catch {
        // Time zone data changes between versions: a list must not break over one row.
        return { cronExpression, timeZone, description: cronExpression, nextTimes: [] };
      }
    },
  };
}

function explainOrRefuse<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw badRequest('invalid-schedule', message, [{ path: '/cronExpression', message }]);
  }
}
