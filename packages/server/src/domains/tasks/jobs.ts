import { defineJob, type Jobs } from '@svc/jobs';
import type { OrderLook, TaskClock } from './clock.ts';

const lookAtTask = defineJob<{ readonly taskId: number }>({
  name: 'look-at-task',
  queue: 'maintenance',
  retry: { attemptsMax: 6 },
  parse: (value) => {
    const { taskId } = Object(value) as { taskId?: unknown };
    if (typeof taskId !== 'number' || !Number.isSafeInteger(taskId) || taskId < 1)
      throw new TypeError('taskId must be an integer.');
    return { taskId };
  },
});

/** Schedules checks of tasks at their times. */
export const orderLooks =
  (jobs: Jobs): OrderLook =>
  async (tx, taskId, at) => {
    await jobs.enqueue(tx, lookAtTask, { taskId }, { dueAt: at });
  };

/** Handles the scheduled checks. */
export function serveLooks(jobs: Jobs, clock: TaskClock): void {
  jobs.handle(lookAtTask, ({ taskId }) => clock.look(taskId));
}
