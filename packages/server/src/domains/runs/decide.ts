import type { NotificationTrigger } from '@svc/contract';

/** What a finished query says about a run, before anybody is told. */
export type Finding = {
  readonly resultCount: number;
  /** Row count of the last non-skipped run; null on the first run. */
  readonly previousResultCount: number | null;
  readonly minimumRowCount: number | null;
  readonly notificationTrigger: NotificationTrigger;
};

export type Decision = 'Notify' | 'NoResults' | 'BelowThreshold' | 'Silenced';

/** Decides whether a run notifies. The first rule that applies wins. */
export function decide(finding: Finding): Decision {
  const { resultCount, previousResultCount, minimumRowCount, notificationTrigger } = finding;
  if (resultCount === 0) return 'NoResults';
  if (minimumRowCount !== null && resultCount < minimumRowCount) return 'BelowThreshold';
  switch (notificationTrigger) {
    case 'Always':
      return 'Notify';
    case 'OnResultCountChange':
      return previousResultCount === null || resultCount !== previousResultCount ? 'Notify' : 'Silenced';
    case 'OnResultCountIncrease':
      return previousResultCount === null || resultCount > previousResultCount ? 'Notify' : 'Silenced';
  }
}
