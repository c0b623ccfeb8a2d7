import type { AlertNews } from '@svc/contract';
import { type AlertFinding, quietUntil } from '../../alerts/index.ts';
import type { ContractRow } from '../../data-contracts/index.ts';
import type { RuleResult } from '../asking/ask-rules.ts';
import type { EvaluationEnd, Taken } from '../store.ts';

/** An evaluation that has ended, in the transaction of its end. */
export type EndedEvaluation = {
  readonly contract: ContractRow;
  readonly evaluation: Taken;
  readonly end: EvaluationEnd;
  readonly results: readonly RuleResult[];
};

/** Whether an evaluation is bad news, as the contract has it; undefined: it says nothing, or was made by hand. */
export function badness({ contract, evaluation, end }: EndedEvaluation): boolean | undefined {
  if (evaluation.trigger !== 'Schedule' || end.status === 'Error') return undefined;
  return end.status === 'Failed' || (end.status === 'Warned' && contract.alertsOnWarning);
}

/** What recipients are told of an evaluation, and when. */
export type Telling = {
  /** What is told of the alert; null with `EveryFailure`. */
  readonly news: AlertNews | null;
  /** Until when quiet hours hold it; null: it leaves at once. */
  readonly heldUntil: Date | null;
};

/**
 * Decides what is told of an evaluation; null: nothing.
 *
 * @param alert  How the alert stands now; null with `EveryFailure`.
 */
export function decideTelling(
  { contract, results }: EndedEvaluation,
  found: { readonly isBad: boolean; readonly alert: Pick<AlertFinding, 'news'> | null },
  now: Date,
): Telling | null {
  const isNews = found.alert === null ? found.isBad : found.alert.news !== null;
  // Without recipients, the owner gets the notices of the task that a failure opens.
  const isOfTask = contract.recipients.length === 0 && contract.createTasks;
  if (!isNews || contract.snoozedUntil !== null || isOfTask) return null;
  return { news: found.alert?.news ?? null, heldUntil: holdOf(contract, results, now) };
}

function holdOf({ quietHours }: ContractRow, results: EndedEvaluation['results'], now: Date): Date | null {
  if (quietHours === null) return null;
  const isCritical = results.some(
    ({ rule, outcome }) => rule.severity === 'Critical' && outcome === 'Failed',
  );
  return isCritical && quietHours.criticalPasses ? null : quietUntil(quietHours, now);
}

/** How far the clocks of the service and of its database may be apart. */
const clocksApartMs = 60_000;

/** What becomes of a message when its turn comes: `Early` before the quiet hours end that hold it. */
export function decideHeld(
  { heldUntil, isArchived, isSnoozed }: { heldUntil: Date | null; isArchived: boolean; isSnoozed: boolean },
  now: Date,
): 'Tell' | 'Early' | 'Superseded' | 'Snoozed' {
  if (heldUntil === null) return 'Tell';
  if (heldUntil.getTime() > now.getTime() + clocksApartMs) return 'Early';
  if (isArchived) return 'Superseded';
  return isSnoozed ? 'Snoozed' : 'Tell';
}
