import type { NotificationTrigger } from '@svc/contract';
import type { AlertOutcome } from '../../alerts/index.ts';
import type { Assessment } from '../../anomalies/index.ts';
import type { RowChanges } from '../../row-memory/index.ts';

/** Result of a finished query, and the state that its notification depends on. */
export type DecisionFacts = {
  readonly resultCount: number;
  /** Row count of the last non-skipped run; null on the first run. */
  readonly previousResultCount: number | null;
  readonly minimumRowCount: number | null;
  readonly notificationTrigger: NotificationTrigger;
  /** Assessment of the count against earlier counts. Null when counts are not watched, or too few exist. */
  readonly assessment: Pick<Assessment, 'flagged'> | null;
  /** State of the alert after this run; null for every trigger except `WhileRows`. */
  readonly alert: Pick<AlertOutcome, 'notification'> | null;
  /** Changes of the rows; null for every trigger except `OnRowChange`. */
  readonly rowChanges: Pick<RowChanges, 'isBaseline' | 'reportedCount'> | null;
};

export type Decision = 'Notify' | 'NoResults' | 'BelowThreshold' | 'Silenced';

/** Returns true if the count reaches the minimum row count (default 1). */
export const hasRows = ({
  resultCount,
  minimumRowCount,
}: Pick<DecisionFacts, 'resultCount' | 'minimumRowCount'>): boolean => resultCount >= (minimumRowCount ?? 1);

/** Decides whether a run notifies. The first rule that applies wins. */
export function decide(facts: DecisionFacts): Decision {
  const { resultCount, previousResultCount, minimumRowCount, notificationTrigger } = facts;
  // An anomaly always notifies, even with zero rows and regardless of the trigger.
  if (facts.assessment !== null && facts.assessment.flagged !== null) return 'Notify';
  // A change of the alert notifies even without rows, because a recovery has none.
  if (facts.alert !== null && facts.alert.notification !== null) return 'Notify';
  if (facts.rowChanges !== null) return decideRows(facts.rowChanges, facts);
  if (resultCount === 0) return 'NoResults';
  if (minimumRowCount !== null && resultCount < minimumRowCount) return 'BelowThreshold';
  switch (notificationTrigger) {
    case 'Always':
      return 'Notify';
    case 'OnResultCountChange':
      return previousResultCount === null || resultCount !== previousResultCount ? 'Notify' : 'Silenced';
    case 'OnAnomaly':
    case 'OnRowChange':
    case 'WhileRows':
      return 'Silenced';
    case 'OnResultCountIncrease':
      return previousResultCount === null || resultCount > previousResultCount ? 'Notify' : 'Silenced';
  }
}

/** Decides by changed rows. They notify even if no row remains. The minimum applies to their number. */
function decideRows(
  { isBaseline, reportedCount }: Pick<RowChanges, 'isBaseline' | 'reportedCount'>,
  { resultCount, minimumRowCount }: Pick<DecisionFacts, 'resultCount' | 'minimumRowCount'>,
): Decision {
  if (isBaseline) return 'Silenced';
  if (reportedCount === 0) return resultCount === 0 ? 'NoResults' : 'Silenced';
  return reportedCount < (minimumRowCount ?? 1) ? 'BelowThreshold' : 'Notify';
}
