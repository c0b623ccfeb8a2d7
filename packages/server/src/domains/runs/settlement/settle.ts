import { type NextAlert, nextAlert } from '../../alerts/index.ts';
import type { QueryResult, QueryTimeout } from '../execute-query.ts';
import type { RunToExecute } from '../store/load-run.ts';
import { composeMessages } from './compose-messages.ts';
import { hasRows } from './decide.ts';
import { nextStepOf } from './next-step.ts';
import type { LockedState, NextStep, RunState, Settlement } from './settlement.ts';
import { storedResultsOf } from './stored-results.ts';

/** Decides all consequences of the result of a run. Pure, because it runs while the state is locked. */
export function settle(
  run: RunToExecute,
  result: QueryResult | QueryTimeout,
  state: RunState & LockedState,
): Settlement {
  const alert = alertAfter(run, result, state);
  const completed = result.kind === 'Completed' ? result : undefined;
  const composed = composeMessages(run, state.plan, completed, {
    previousResultCount: state.previousResultCount,
    assessment: state.assessment,
    alert,
    rowChanges: completed?.memory?.changes ?? null,
    timestamp: state.now,
    notificationUrl: state.notificationUrl,
  });
  const next = nextStepOf(run, result, { ...state, alert }, composed);
  const notifies = next.kind !== 'End';
  const ownMessages = notifies ? composed.ownMessages : [];
  const messageNos = ownMessages.length > 0 ? ownMessages.map(({ no }) => no) : [0];
  return {
    next,
    outcome: {
      ...outcomeOf(run, completed),
      previousResultCount: state.previousResultCount,
      assessment: state.assessment,
      alertNews: notifies ? (alert?.notification ?? null) : null,
    },
    ownMessages: completed?.memory || completed?.routed ? ownMessages : null,
    alert,
    stagedMemory: stagedMemoryOf(run, completed),
    supersededRuns: replacesHeldRuns(run, next, alert) ? state.heldRuns : [],
    unsentFiles: unsentFilesOf(completed?.fileNos ?? [], notifies ? messageNos : []),
  };
}

/** Returns the alert after a run. Null without an alert, and after a timeout: it shows neither rows nor their absence. */
function alertAfter(
  run: RunToExecute,
  result: QueryResult | QueryTimeout,
  { alert, now }: Pick<RunState & LockedState, 'alert' | 'now'>,
): NextAlert | null {
  if (run.alert === null || alert === null || result.kind === 'TimedOut') return null;
  const { minimumRowCount } = run;
  const isBad = hasRows({ resultCount: result.resultCount, minimumRowCount });
  return nextAlert(run.alert, alert, { by: run.id, isBad }, now);
}

/** Returns the fields of a run's record that the result of its query determines; nulls after a timeout. */
const outcomeOf = (run: RunToExecute, result: QueryResult | undefined) => ({
  executionTimeMs: result?.executionTimeMs ?? null,
  timings: result?.timings ?? null,
  resultCount: result?.resultCount ?? null,
  unroutedCount: result?.routed?.unroutedCount ?? null,
  storedResults: result ? storedResultsOf(run, result.collected) : null,
});

/** Returns the row memory that stages the rows of a run; null: the stored rows do not change. */
function stagedMemoryOf(
  { origin }: RunToExecute,
  result: QueryResult | undefined,
): Settlement['stagedMemory'] {
  const memory = result?.memory ?? null;
  // A manual run changes no stored rows, so that the next scheduled run still reports new rows.
  return memory !== null && (origin === 'Schedule' || memory.changes.isBaseline) ? memory : null;
}

/**
 * Returns true if a run ends earlier held runs. A scheduled run evaluates an alert or remembered rows again. A manual
 * run does not end held runs. Otherwise their message would be lost, and their rows would wait for the next run.
 */
const replacesHeldRuns = (
  { rowMemory, origin }: RunToExecute,
  next: NextStep,
  alert: NextAlert | null,
): boolean => (rowMemory === null ? next.kind !== 'End' || alert !== null : origin === 'Schedule');

/** Returns the messages with a file that are not sent. */
function unsentFilesOf(fileNos: readonly number[], messageNos: readonly number[]): Settlement['unsentFiles'] {
  const sentNos = new Set(messageNos);
  const unsent = fileNos.filter((no) => !sentNos.has(no));
  return unsent.length > 0 && unsent.length === fileNos.length ? 'All' : unsent;
}
