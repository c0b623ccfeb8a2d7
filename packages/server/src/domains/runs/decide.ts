import type { NotificationTrigger } from '@svc/contract';
import type { AlertFinding } from '../alerts/index.ts';
import type { Assessment } from '../anomalies/index.ts';

/** What a finished query says about a run, before anybody is told. */
export type Finding = {
  readonly resultCount: number;
  /** Row count of the last non-skipped run; null on the first run. */
  readonly previousResultCount: number | null;
  readonly minimumRowCount: number | null;
  readonly notificationTrigger: NotificationTrigger;
  /** What the count is beside those before it; null where counts are not watched, or too few were seen. */
  readonly assessment: Pick<Assessment, 'flagged'> | null;
  /** How the alert stands after this run; null with every trigger but `WhileRows`. */
  readonly alert: Pick<AlertFinding, 'news'> | null;
};

export type Decision = 'Notify' | 'NoResults' | 'BelowThreshold' | 'Silenced';

/** Whether rows count as rows: fewer than the least that is told are none. */
export const hasRows = ({
  resultCount,
  minimumRowCount,
}: Pick<Finding, 'resultCount' | 'minimumRowCount'>): boolean => resultCount >= (minimumRowCount ?? 1);

/** Decides whether a run notifies. The first rule that applies wins. */
export function decide(finding: Finding): Decision {
  const { resultCount, previousResultCount, minimumRowCount, notificationTrigger } = finding;
  // Whoever has counts watched hears of it, also where none came and whatever the trigger says.
  if (finding.assessment !== null && finding.assessment.flagged !== null) return 'Notify';
  // That the rows are gone is told of a run that has none.
  if (finding.alert !== null && finding.alert.news !== null) return 'Notify';
  if (resultCount === 0) return 'NoResults';
  if (minimumRowCount !== null && resultCount < minimumRowCount) return 'BelowThreshold';
  switch (notificationTrigger) {
    case 'Always':
      return 'Notify';
    case 'OnResultCountChange':
      return previousResultCount === null || resultCount !== previousResultCount ? 'Notify' : 'Silenced';
    case 'OnAnomaly':
    case 'WhileRows':
      return 'Silenced';
    case 'OnResultCountIncrease':
      return previousResultCount === null || resultCount > previousResultCount ? 'Notify' : 'Silenced';
  }
}
