import type { NotificationTrigger } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import type { RunToExecute } from '../runs/index.ts';

/** Members of a subscription that determine its next message. */
export type PreviewedSubscription = Pick<
  RunToExecute,
  | 'subscriptionId'
  | 'queryId'
  | 'queryName'
  | 'projectId'
  | 'minimumRowCount'
  | 'maxRows'
  | 'timeoutSeconds'
  | 'showQuery'
  | 'attachmentFormat'
  | 'parameters'
  | 'anomaly'
  | 'alert'
  | 'rowMemory'
  | 'timeZone'
> & { readonly notificationTrigger: NotificationTrigger };

export async function findPreviewed(
  executor: Executor,
  subscriptionId: number,
): Promise<PreviewedSubscription | undefined> {
  const { rows } = await executor.query<PreviewedSubscription>(
    `select s.id as "subscriptionId", s.query_id as "queryId", q.name as "queryName", q.project_id as "projectId",
       s.notification_trigger as "notificationTrigger", s.minimum_row_count as "minimumRowCount",
       s.max_rows as "maxRows", s.timeout_seconds as "timeoutSeconds", s.show_query as "showQuery",
       case when s.include_attachment then coalesce(s.attachment_format, 'Csv') end as "attachmentFormat", s.parameters,
       s.anomaly, s.alert, s.row_memory as "rowMemory", s.time_zone as "timeZone"
     from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1`,
    [subscriptionId],
  );
  return rows[0];
}

/** A run with a stored message. */
export type KeptMessage = {
  readonly id: number;
  readonly dueAt: Date;
  readonly messageSealed: string;
  readonly unroutedCount: number | null;
};

/**
 * Returns the last run visible to the caller that has a stored message.
 *
 * @param key.runId  Limits the search to this run; null means any run.
 */
export async function findLastMessage(
  executor: Executor,
  { subscriptionId, runId }: { readonly subscriptionId: number; readonly runId: number | null },
  visible: RawBuilder<boolean>,
): Promise<KeptMessage | undefined> {
  let query = executor.kysely
    .selectFrom('svc.runs as r')
    .select([
      'r.id',
      'r.due_at as dueAt',
      sql<string>`r.message_sealed`.as('messageSealed'),
      'r.unrouted_count as unroutedCount',
    ])
    .where('r.subscription_id', '=', subscriptionId);
  if (runId !== null) query = query.where('r.id', '=', runId);
  return query
    .where('r.message_sealed', 'is not', null)
    .where('r.status', '<>', 'Created')
    .where(visible)
    .orderBy('r.due_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns the first own message of each recipient, with the recipient's total number of rows. */
export async function ownMessagesOf(
  executor: Executor,
  run: { readonly id: number; readonly dueAt: Date },
): Promise<{ no: number; recipientId: number; rowCount: number }[]> {
  const { rows } = await executor.query<{ no: number; recipientId: number; rowCount: number }>(
    `select min(no) as no, recipient_id as "recipientId", sum(row_count)::bigint as "rowCount" from svc.run_messages
     where run_id = $1 and run_due_at = $2 and recipient_id is not null
     group by recipient_id order by recipient_id`,
    [run.id, run.dueAt],
  );
  return rows;
}

/** Returns live recipients of a subscription, ordered by name; at most `limit`. */
export async function attachedRecipients(
  executor: Executor,
  subscriptionId: number,
  limit: number,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await executor.query<{ id: number; name: string }>(
    `select rc.id, rc.name from svc.subscription_recipients sr
       join svc.recipients rc on rc.id = sr.recipient_id and rc.archived_at is null
     where sr.subscription_id = $1 order by rc.name collate "C", rc.id limit $2`,
    [subscriptionId, limit],
  );
  return rows;
}
