import { parseSchedule } from '@svc/jobs';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { TellResponsible } from '../notices/index.ts';
import { beginStreak, extendStreak, lockOverlap, type Overlap, saveSkippedSlot } from './overlap-store.ts';

/** A streak ends when no slot was skipped for a day and for this many intervals. */
const streakIntervals = 3;
const daySeconds = 86_400;

/** A slot that is skipped, because the run with this id was still running. */
export type Skip = { readonly previousRunId: number };

/**
 * Records that a slot is skipped where it passed while the run before it was under way. It is counted once, whatever
 * number of ticks and watchdogs call it. Undefined where nothing speaks against running the slot.
 */
export type SkipOverlapping = (subscriptionId: number, slotAt: Date) => Promise<Skip | undefined>;

/** Creates the one place that decides about and records overlapping slots. */
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

/** The interval after the run that a slot overlaps. */
function intervalOf({ cronExpression, timeZone, runDueAt }: Overlap): number {
  const [next = runDueAt] = parseSchedule(cronExpression, timeZone).next(1, runDueAt);
  return Math.round((next.getTime() - runDueAt.getTime()) / 1_000);
}

/** Rounded up, so that a run that took longer than the interval never reads as one that took as long. */
const secondsOf = (ms: number): number => (ms < 10_000 ? Math.ceil(ms / 100) / 10 : Math.ceil(ms / 1_000));
