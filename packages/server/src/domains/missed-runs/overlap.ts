import { parseSchedule } from '@svc/jobs';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { TellResponsible } from '../notices/index.ts';
import { beginStreak, extendStreak, lockOverlap, type Overlap, saveSkippedSlot } from './overlap-store.ts';

/** A streak ends after a day and this number of intervals without a skipped slot. */
const streakIntervals = 3;
const daySeconds = 86_400;

/** A skipped slot, with the id of the run that was still running. */
export type Skip = { readonly previousRunId: number };

/**
 * Records a slot as skipped when it passed during an earlier run. Repeated calls by ticks and watchdogs count it once.
 * Returns undefined when the slot may run.
 */
export type SkipOverlapping = (subscriptionId: number, slotAt: Date) => Promise<Skip | undefined>;

/** Creates the function that detects and records overlapping slots. No other code does. */
export function createSkipOverlapping(deps: {
  readonly database: Database;
  readonly tellResponsible: TellResponsible;
}): SkipOverlapping {
  const record = async (tx: Tx, subscriptionId: number, slotAt: Date, overlap: Overlap): Promise<void> => {
    const intervalSeconds = intervalOf(overlap);
    const gapSecondsMax = Math.max(daySeconds, streakIntervals * intervalSeconds);
    const streakId = await extendStreak(tx, subscriptionId, slotAt, gapSecondsMax);
    const missedRunId = streakId ?? (await beginStreak(tx, subscriptionId, slotAt));
    await saveSkippedSlot(tx, subscriptionId, slotAt, missedRunId);
    if (streakId !== undefined) return;
    await deps.tellResponsible(tx, {
      kind: 'RunOverlapped',
      subject: { kind: 'Subscription', id: subscriptionId },
      runId: overlap.runId,
      facts: {
        runSeconds: secondsOf(overlap.runMs),
        intervalSeconds,
        isUnderWay: overlap.isUnderWay,
      },
      isRepetition: false,
    });
  };
  return (subscriptionId, slotAt) =>
    deps.database.transaction(async (tx) => {
      const overlap = await lockOverlap(tx, subscriptionId, slotAt);
      if (!overlap) return undefined;
      if (!overlap.isRecorded) await record(tx, subscriptionId, slotAt, overlap);
      return { previousRunId: overlap.runId };
    });
}

/** Returns the interval after the run that a slot overlaps, in seconds. */
function intervalOf({ cronExpression, timeZone, runDueAt }: Overlap): number {
  const [next = runDueAt] = parseSchedule(cronExpression, timeZone).next(1, runDueAt);
  return Math.round((next.getTime() - runDueAt.getTime()) / 1_000);
}

/** Rounds up, so that a run longer than the interval never appears equal to it. */
const secondsOf = (ms: number): number => (ms < 10_000 ? Math.ceil(ms / 100) / 10 : Math.ceil(ms / 1_000));
