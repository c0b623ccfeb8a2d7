import type { NotificationTrigger } from '@svc/contract';
import type { AlertFinding } from '../alerts/index.ts';
import type { Assessment } from '../anomalies/index.ts';
import type { RowFinding } from '../row-memory/index.ts';

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
  /** What became of its rows; null with every trigger but `OnRowChange`. */
  readonly rows: Pick<RowFinding, 'isBaseline' | 'toldCount'> | null;
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
  if (finding.rows !== null) return decideRows(finding.rows, finding);
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

/** Rows that changed are told of, also where none is left; the minimum is one of them. */
function decideRows(
  { isBaseline, toldCount }: Pick<RowFinding, 'isBaseline' | 'toldCount'>,
  { resultCount, minimumRowCount }: Pick<Finding, 'resultCount' | 'minimumRowCount'>,
): Decision {
  if (isBaseline) return 'Silenced';
  if (toldCount === 0) return resultCount === 0 ? 'NoResults' : 'Silenced';
  return toldCount < (minimumRowCount ?? 1) ? 'BelowThreshold' : 'Notify';
}
