import { type Message, previewRowsMax } from '@svc/channels';
import type { QueryRunPlan } from '../queries/index.ts';
import type { FoundResult } from './found-result.ts';
import type { MessageSubject } from './subject.ts';

/** What a run found, and what else its message says. */
export type MessageFacts = FoundResult & {
  readonly executionTimeMs: number;
  /** Row count of the last run that was not skipped; null on the first. */
  readonly previous: number | null;
  readonly timestamp: Date;
  readonly notificationUrl: string | undefined;
};

/** The link to a run; none without a base URL. */
export const notificationUrl = (baseUrl: string | undefined, runId: number): string | undefined =>
  baseUrl === undefined ? undefined : `${baseUrl.replace(/\/+$/, '')}/notifications/${runId}`;

/** What a run has to tell, before any channel shapes it. Rows come masked from the run-SQL door. */
export function messageOf(
  run: Pick<MessageSubject, 'queryName' | 'subscriptionId' | 'showQuery' | 'maxRows'>,
  plan: Pick<QueryRunPlan, 'dataSourceNames' | 'queryText'>,
  facts: MessageFacts,
): Message {
  const { collected, attachment, previous } = facts;
  return {
    subscriptionName: run.queryName,
    subscriptionId: run.subscriptionId,
    dataSourceName: plan.dataSourceNames.join(', '),
    ...(run.showQuery && { queryText: plan.queryText }),
    totalRows: collected.rowCount,
    columns: collected.columns,
    rows: collected.rows.slice(0, Math.min(previewRowsMax, run.maxRows ?? previewRowsMax)),
    executionTimeMs: facts.executionTimeMs,
    ...(previous !== null && { previousCount: previous }),
    timedOut: false,
    ...(facts.notificationUrl !== undefined && { notificationUrl: facts.notificationUrl }),
    timestamp: facts.timestamp,
    ...(attachment && { attachment }),
  };
}
