import type { Schedule } from '@svc/contract';
import { parseSchedule } from '@svc/jobs';
import { badRequest, brokenRule } from '../../platform/http/index.ts';

const shownTimes = 5;

export type Schedules = {
  /** Checks a schedule and describes it in words. A refusal states the fault. */
  readonly explain: (cronExpression: string, timeZone: string | undefined) => Promise<Schedule>;
  /** Describes a stored schedule. Never refuses: an unreadable schedule is returned unchanged. */
  readonly present: (cronExpression: string, timeZone: string, isActive: boolean) => Schedule;
};

/**
 * Creates the check and the description of schedules. They use the parser of the job library, which also fires
 * schedules.
 */
export function createSchedules(options: {
  minimumIntervalSeconds: number;
  /** Returns the zone for schedules without a time zone. */
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
        // Time zone data changes between versions. One unreadable row must not break a list.
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
