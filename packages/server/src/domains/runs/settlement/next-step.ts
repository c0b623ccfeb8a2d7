import { type NextAlert, quietUntil } from '../../alerts/index.ts';
import type { RunReason } from '../../run-history/index.ts';
import type { QueryResult, QueryTimeout } from '../execute-query.ts';
import { isSilent } from '../resumption.ts';
import type { RunToExecute } from '../store/load-run.ts';
import { timedOutReason } from '../timed-out.ts';
import type { Composed } from './compose-messages.ts';
import { decide } from './decide.ts';
import type { NextStep, RunState } from './settlement.ts';

type NextState = Pick<RunState, 'previousResultCount' | 'assessment' | 'isAfterTimeout' | 'now'> & {
  /** Alert after the run. */
  readonly alert: NextAlert | null;
};

/** Decides the next step of a run: send its messages, delay them, or end. */
export function nextStepOf(
  run: RunToExecute,
  result: QueryResult | QueryTimeout,
  state: NextState,
  { message, ownMessages, isNothingRouted }: Composed,
): NextStep {
  const end =
    result.kind === 'TimedOut'
      ? endOfTimeout(run, result, state)
      : endOfResult(run, result, state, isNothingRouted);
  if (end) return end;
  const until = endOfHold(run, state);
  if (until !== null) return { kind: 'Hold', message, until };
  return { kind: 'Send', message, hasOwnMessages: ownMessages.length > 0 };
}

/** Returns the end of a run that timed out; undefined: it notifies. Only the first of consecutive timeouts does. */
function endOfTimeout(
  run: RunToExecute,
  { seconds }: QueryTimeout,
  { isAfterTimeout }: NextState,
): NextStep | undefined {
  if (isAfterTimeout) return { kind: 'End', status: 'Timeout', reason: timedOutReason(seconds, null) };
  // A separate reason, so that the first timeout after the snooze notifies.
  if (isSilent(run))
    return { kind: 'End', status: 'Timeout', reason: { reason: 'TimedOutSnoozed', seconds } };
  return undefined;
}

/** Returns the end of a run whose result causes no message; undefined: it notifies. */
function endOfResult(
  run: RunToExecute,
  { resultCount, memory }: QueryResult,
  state: NextState,
  isNothingRouted: boolean,
): NextStep | undefined {
  const { previousResultCount, assessment, alert } = state;
  const rowChanges = memory?.changes ?? null;
  const decision = decide({
    notificationTrigger: run.notificationTrigger,
    minimumRowCount: run.minimumRowCount,
    resultCount,
    previousResultCount,
    assessment,
    alert,
    rowChanges,
  });
  if (decision === 'Silenced')
    return { kind: 'End', status: decision, reason: silenceReasonOf(run, alert, memory) };
  if (decision !== 'Notify') return { kind: 'End', status: decision, reason: null };
  if (isSilent(run)) return { kind: 'End', status: 'Silenced', reason: { reason: 'Snoozed' } };
  if (isNothingRouted) return { kind: 'End', status: 'Silenced', reason: { reason: 'NothingRouted' } };
  return undefined;
}

/** Returns the reason why the trigger of a run does not apply to its result; null: the status is the reason. */
function silenceReasonOf(
  run: RunToExecute,
  alert: NextAlert | null,
  memory: QueryResult['memory'],
): RunReason | null {
  if (memory !== null)
    return memory.changes.isBaseline
      ? { reason: 'Baseline', rowCount: memory.changes.rowCount }
      : { reason: 'NothingChanged' };
  if (alert === null || run.alert === null) return null;
  if (alert.state !== 'Pending') return { reason: 'StillFiring' };
  return { reason: 'AlertPending', runs: alert.streak, of: run.alert.pendingRuns };
}

/**
 * Returns the time until which the messages of a run are held; null: they are sent immediately. A run that a user
 * started is never held.
 */
function endOfHold({ quietHours, origin }: RunToExecute, { assessment, now }: NextState): Date | null {
  if (quietHours === null || origin !== 'Schedule') return null;
  const isCritical = assessment !== null && assessment.flagged !== null && assessment.severity === 'Critical';
  return isCritical && quietHours.criticalPasses ? null : quietUntil(quietHours, now);
}
