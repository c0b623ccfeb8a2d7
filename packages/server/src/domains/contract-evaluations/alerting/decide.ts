import type { AlertNews } from '@svc/contract';
import { type AlertOutcome, quietUntil } from '../../alerts/index.ts';
import type { ContractRow } from '../../data-contracts/index.ts';
import type { RuleResult } from '../asking/ask-rules.ts';
import type { EvaluationEnd, Taken } from '../store.ts';

/** An ended evaluation, in the transaction of its end. */
export type EndedEvaluation = {
  readonly contract: ContractRow;
  readonly evaluation: Taken;
  readonly end: EvaluationEnd;
  readonly results: readonly RuleResult[];
};

/** Returns true for a bad result by the settings of the contract. Undefined: the evaluation was manual or could not judge. */
export function badness({ contract, evaluation, end }: EndedEvaluation): boolean | undefined {
  if (evaluation.trigger !== 'Schedule' || end.status === 'Error') return undefined;
  return end.status === 'Failed' || (end.status === 'Warned' && contract.alertsOnWarning);
}

/** Content and time of a notification. */
export type Telling = {
  /** Change of the alert. Null with `EveryFailure`. */
  readonly news: AlertNews | null;
  /** End of the quiet hours that delay the message. Null: it is sent immediately. */
  readonly heldUntil: Date | null;
};

/**
 * Decides the notification of an evaluation. Null: none is sent.
 *
 * @param state.alert  Current state of the alert; null with `EveryFailure`.
 */
export function decideTelling(
  { contract, results }: EndedEvaluation,
  state: { readonly isBad: boolean; readonly alert: Pick<AlertOutcome, 'notification'> | null },
  now: Date,
): Telling | null {
  const isNews = state.alert === null ? state.isBad : state.alert.notification !== null;
  // Without recipients, a failure opens a task, and the owner gets its notices.
  const isOfTask = contract.recipients.length === 0 && contract.createTasks;
  if (!isNews || contract.snoozedUntil !== null || isOfTask) return null;
  return { news: state.alert?.notification ?? null, heldUntil: holdOf(contract, results, now) };
}

function holdOf({ quietHours }: ContractRow, results: EndedEvaluation['results'], now: Date): Date | null {
  if (quietHours === null) return null;
  const isCritical = results.some(
    ({ rule, outcome }) => rule.severity === 'Critical' && outcome === 'Failed',
  );
  return isCritical && quietHours.criticalPasses ? null : quietUntil(quietHours, now);
}

/** Maximum difference between the clocks of the service and of its database. */
const clocksApartMs = 60_000;

/** Decides about a held message when its job runs. `Early`: the quiet hours have not ended yet. */
export function decideHeld(
  { heldUntil, isArchived, isSnoozed }: { heldUntil: Date | null; isArchived: boolean; isSnoozed: boolean },
  now: Date,
): 'Tell' | 'Early' | 'Superseded' | 'Snoozed' {
  if (heldUntil === null) return 'Tell';
  if (heldUntil.getTime() > now.getTime() + clocksApartMs) return 'Early';
  if (isArchived) return 'Superseded';
  return isSnoozed ? 'Snoozed' : 'Tell';
}
