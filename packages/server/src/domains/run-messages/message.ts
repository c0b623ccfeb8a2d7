import { type Message, previewRowsMax } from '@svc/channels';
import type { AlertFinding } from '../alerts/index.ts';
import type { Assessment } from '../anomalies/index.ts';
import type { QueryRunPlan } from '../queries/index.ts';
import type { RowFinding } from '../row-memory/index.ts';
import type { FoundResult } from './found-result.ts';
import type { MessageSubject } from './subject.ts';

/** What a message says beside what its query found. */
export type MessageFacts = {
  /** Row count of the last run that was not skipped; null on the first. */
  readonly previous: number | null;
  /** What the count is beside those before it; null where counts are not watched, or too few were seen. */
  readonly assessment: Pick<Assessment, 'flagged' | 'severity' | 'explanation'> | null;
  /** How the alert stands after the run; null with every trigger but `WhileRows`. */
  readonly alert: Pick<AlertFinding, 'state' | 'since' | 'news'> | null;
  /** What became of its rows; null with every trigger but `OnRowChange`. */
  readonly rows: RowFinding | null;
  readonly timestamp: Date;
  readonly notificationUrl: string | undefined;
};

/** The link to a run; none without a base URL. */
export const notificationUrl = (baseUrl: string | undefined, runId: number): string | undefined =>
  baseUrl === undefined ? undefined : `${baseUrl.replace(/\/+$/, '')}/notifications/${runId}`;

/**
 * What a run has to tell, before any channel shapes it. Rows come masked from the run-SQL door.
 *
 * @param found  Undefined when the query timed out: that is what the message tells, without rows and counts.
 */
export function messageOf(
  run: Pick<MessageSubject, 'queryName' | 'subscriptionId' | 'showQuery' | 'maxRows'>,
  plan: Pick<QueryRunPlan, 'dataSourceNames' | 'queryText'>,
  found: (FoundResult & { readonly executionTimeMs: number }) | undefined,
  facts: MessageFacts,
): Message {
  const { previous } = facts;
  return {
    subscriptionName: run.queryName,
    subscriptionId: run.subscriptionId,
    dataSourceName: plan.dataSourceNames.join(', '),
    ...(run.showQuery && { queryText: plan.queryText }),
    ...(found && { totalRows: found.collected.rowCount, executionTimeMs: found.executionTimeMs }),
    columns: found?.collected.columns ?? [],
    ...(found && { columnKinds: found.collected.kinds }),
    rows: found?.collected.rows.slice(0, Math.min(previewRowsMax, run.maxRows ?? previewRowsMax)) ?? [],
    ...(previous !== null && { previousCount: previous }),
    ...anomalyIn(facts),
    ...alertIn(facts),
    ...rowChangesIn(facts),
    timedOut: found === undefined,
    ...(facts.notificationUrl !== undefined && { notificationUrl: facts.notificationUrl }),
    timestamp: facts.timestamp,
    ...(found?.attachment && { attachment: found.attachment }),
  };
}

/**
 * The same without anything of the rows: what everybody may get where each recipient gets rows of its own. How many
 * there were is told where there were none.
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

/** What is told of a count that is out of the ordinary; nothing of one that is not. */
function anomalyIn({ assessment }: MessageFacts): Pick<Message, 'anomaly'> {
  if (assessment === null || assessment.flagged === null) return {};
  const { severity, explanation } = assessment;
  return { anomaly: { isAnomaly: true, severity, explanation } };
}

/** How the alert stands that lasts while there are rows; nothing with other triggers. */
function alertIn({ alert }: MessageFacts): Pick<Message, 'alert'> {
  if (alert === null) return {};
  const { state, since, news } = alert;
  return { alert: { state, since: since.toISOString(), ...(news !== null && { news }) } };
}

/** How many rows changed, of those kinds that are told; nothing where a run timed out or remembers for the first time. */
function rowChangesIn({ rows }: MessageFacts): Pick<Message, 'rowChanges'> {
  if (rows === null || rows.isBaseline) return {};
  const { changes, newCount, changedCount, vanishedCount } = rows;
  return {
    rowChanges: {
      ...(changes.includes('New') && { new: newCount }),
      ...(changes.includes('Changed') && { changed: changedCount }),
      ...(changes.includes('Vanished') && { vanished: vanishedCount }),
    },
  };
}
