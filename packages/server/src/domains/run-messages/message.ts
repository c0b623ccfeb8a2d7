import { type Message, previewRowsMax } from '@svc/channels';
import type { AlertOutcome } from '../alerts/index.ts';
import type { Assessment } from '../anomalies/index.ts';
import type { QueryRunPlan } from '../queries/index.ts';
import type { RowChanges } from '../row-memory/index.ts';
import type { ResultContent } from './read-result.ts';
import type { MessageSubject } from './subject.ts';

/** Facts of a message in addition to the result of the query. */
export type MessageFacts = {
  /** Row count of the last run that was not skipped; null on the first. */
  readonly previousResultCount: number | null;
  /** Assessment of the count against earlier counts. Null when counts are not watched, or too few exist. */
  readonly assessment: Pick<Assessment, 'flagged' | 'severity' | 'explanation'> | null;
  /** State of the alert after the run; null for every trigger except `WhileRows`. */
  readonly alert: Pick<AlertOutcome, 'state' | 'since' | 'notification'> | null;
  /** Changes of the rows; null for every trigger except `OnRowChange`. */
  readonly rowChanges: RowChanges | null;
  readonly timestamp: Date;
  readonly notificationUrl: string | undefined;
};

/** Returns the link to a run; undefined without a base URL. */
export const notificationUrl = (baseUrl: string | undefined, runId: number): string | undefined =>
  baseUrl === undefined ? undefined : `${baseUrl.replace(/\/+$/, '')}/notifications/${runId}`;

/**
 * Returns the message of a run, before a channel formats it. Rows from the run-SQL gateway are masked already.
 *
 * @param result  Undefined when the query timed out. The message then reports the timeout, without rows and counts.
 */
export function messageOf(
  run: Pick<MessageSubject, 'queryName' | 'subscriptionId' | 'showQuery' | 'maxRows'>,
  plan: Pick<QueryRunPlan, 'dataSourceNames' | 'queryText'>,
  result: (ResultContent & { readonly executionTimeMs: number }) | undefined,
  facts: MessageFacts,
): Message {
  const { previousResultCount } = facts;
  return {
    subscriptionName: run.queryName,
    subscriptionId: run.subscriptionId,
    dataSourceName: plan.dataSourceNames.join(', '),
    ...(run.showQuery && { queryText: plan.queryText }),
    ...(result && { totalRows: result.collected.rowCount, executionTimeMs: result.executionTimeMs }),
    columns: result?.collected.columns ?? [],
    ...(result && { columnKinds: result.collected.kinds }),
    rows: result?.collected.rows.slice(0, Math.min(previewRowsMax, run.maxRows ?? previewRowsMax)) ?? [],
    ...(previousResultCount !== null && { previousCount: previousResultCount }),
    ...anomalyIn(facts),
    ...alertIn(facts),
    ...rowChangesIn(facts),
    timedOut: result === undefined,
    ...(facts.notificationUrl !== undefined && { notificationUrl: facts.notificationUrl }),
    timestamp: facts.timestamp,
    ...(result?.attachment && { attachment: result.attachment }),
  };
}

/**
 * Returns the message without data of the rows. All recipients may get it when each recipient gets its own rows. It
 * contains the row count only if the count is 0.
 */
export function withoutRows(message: Message): Message {
  const {
    attachment: _file,
    previousCount: _before,
    rowChanges: _changes,
    columnKinds: _kinds,
    totalRows,
    ...bare
  } = message;
  return { ...bare, columns: [], rows: [], ...(totalRows === 0 && { totalRows }) };
}

/** Returns the anomaly of an unusual count, otherwise nothing. */
function anomalyIn({ assessment }: MessageFacts): Pick<Message, 'anomaly'> {
  if (assessment === null || assessment.flagged === null) return {};
  const { severity, explanation } = assessment;
  return { anomaly: { isAnomaly: true, severity, explanation } };
}

/** Returns the state of an alert with the trigger `WhileRows`, otherwise nothing. */
function alertIn({ alert }: MessageFacts): Pick<Message, 'alert'> {
  if (alert === null) return {};
  const { state, since, notification } = alert;
  return {
    alert: { state, since: since.toISOString(), ...(notification !== null && { news: notification }) },
  };
}

/** Returns the row counts of the reported kinds of changes. Returns nothing after a timeout or for the first memory. */
function rowChangesIn({ rowChanges }: MessageFacts): Pick<Message, 'rowChanges'> {
  if (rowChanges === null || rowChanges.isBaseline) return {};
  const { reportedKinds, newCount, changedCount, vanishedCount } = rowChanges;
  return {
    rowChanges: {
      ...(reportedKinds.includes('New') && { new: newCount }),
      ...(reportedKinds.includes('Changed') && { changed: changedCount }),
      ...(reportedKinds.includes('Vanished') && { vanished: vanishedCount }),
    },
  };
}
