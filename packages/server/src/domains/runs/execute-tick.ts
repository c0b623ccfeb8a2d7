import type { Database } from '../../platform/db/index.ts';
import type { SkipOverlapping } from '../missed-runs/index.ts';
import { ensureScheduledRun } from './store/create-run.ts';

/** Job of a schedule for a slot. */
export type Tick = {
  readonly slotAt: Date;
  /** Id of the job. */
  readonly id: string;
  readonly traceId: string;
  readonly signal: AbortSignal;
  /** Writes a line to the log of the job. */
  readonly log: (message: string) => void;
};

export type ExecuteTickDeps = {
  readonly database: Database;
  readonly skipOverlapping: SkipOverlapping;
  readonly execute: (runId: number, dueAt: Date, signal: AbortSignal) => Promise<void>;
};

/** Creates the function that creates or resumes the run of a slot, and executes it. An ended run does not change. */
export function createExecuteTick({ database, skipOverlapping, execute }: ExecuteTickDeps) {
  /** Records the slot if it is skipped. @returns the reason why the slot has no run. */
  const reasonWithoutRun = async (subscriptionId: number, slotAt: Date): Promise<string> => {
    const skip = await skipOverlapping(subscriptionId, slotAt);
    return skip
      ? `The slot ${slotAt.toISOString()} is skipped: the previous run (${skip.previousRunId}) was still running.`
      : 'The subscription is paused or archived. No run is made.';
  };

  return async (subscriptionId: number, tick: Tick): Promise<void> => {
    const { slotAt, log } = tick;
    const run = await ensureScheduledRun(database, subscriptionId, slotAt, tick);
    if (!run) return log(await reasonWithoutRun(subscriptionId, slotAt));
    if (run.status === 'Created') return execute(run.id, slotAt, tick.signal);
    log(`The run of ${slotAt.toISOString()} (${run.id}) has ended as ${run.status}. No second run is made.`);
  };
}
