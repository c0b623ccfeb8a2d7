import type {
  Alert,
  AlertRule,
  AnomalyWatch,
  MissedRuns,
  NotificationTrigger,
  NotificationType,
  QuietHours,
  RecipientState,
  RowMemory,
  RowRouting,
  RunOverlap,
  RunStatus,
} from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../../platform/http/index.ts';
import { alertJson } from '../../alerts/index.ts';
import type { Settings } from './settings.ts';

export type SubscriptionRow = Settings & {
  id: number;
  queryId: number;
  queryName: string;
  projectId: number;
  projectName: string;
  ownerUserId: number | null;
  ownerName: string | null;
  cronExpression: string;
  timeZone: string;
  routing: RowRouting | null;
  rememberedRows: { rowCount: number; duplicateKeyCount: number; updatedAt: string } | null;
  alertState: Alert | null;
  snoozedUntil: Date | null;
  snoozeReason: string | null;
  isDemo: boolean;
  createdTime: Date;
  archivedAt: Date | null;
  /** Start of the pause; null: not paused. */
  pausedAt: Date | null;
  stoppedReason: string | null;
  version: number;
  recipients: { id: number; name: string; notificationType: NotificationType; state: RecipientState }[];
  lastRun: { id: number; status: RunStatus; reason: string | null; createdTime: string } | null;
  lastMissed: MissedRuns | null;
};

export type SubscriptionFilter = {
  readonly search?: string | undefined;
  readonly projectId?: number | undefined;
  readonly queryId?: number | undefined;
  /** `Active` includes paused subscriptions. */
  readonly state: 'Active' | 'Paused' | 'Archived' | 'All';
};

/** Sort names of the list. */
export const sortable = {
  queryName: 'q.name collate "C"',
  projectName: 'p.name collate "C"',
  createdTime: 's.created_time',
  id: 's.id',
} as const;

/** @param visible  Condition on `svc.runs` as `r` for the runs that the caller may see. */
const selected = (executor: Executor, visible: RawBuilder<boolean>) =>
  executor.kysely
    .selectFrom('svc.subscriptions as s')
    .innerJoin('svc.queries as q', 'q.id', 's.query_id')
    .innerJoin('svc.projects as p', 'p.id', 'q.project_id')
    .leftJoin('svc.users as o', 'o.id', 's.owner_user_id')
    .select([
      's.id',
      's.query_id as queryId',
      'q.name as queryName',
      'q.project_id as projectId',
      'p.name as projectName',
      's.owner_user_id as ownerUserId',
      sql<string | null>`coalesce(o.display_name, o.user_name)`.as('ownerName'),
      's.cron_expression as cronExpression',
      's.time_zone as timeZone',
      sql<NotificationTrigger>`s.notification_trigger`.as('notificationTrigger'),
      's.minimum_row_count as minimumRowCount',
      's.max_rows as maxRows',
      's.timeout_seconds as timeoutSeconds',
      sql<RunOverlap>`s.overlap`.as('overlap'),
      's.show_query as showQuery',
      's.store_results as storeResults',
      's.include_attachment as includeAttachment',
      sql<'Csv' | 'Xlsx' | null>`s.attachment_format`.as('attachmentFormat'),
      's.create_tasks as createTasks',
      's.sla_hours as slaHours',
      sql<SubscriptionRow['parameters']>`s.parameters`.as('parameters'),
      sql<AnomalyWatch | null>`s.anomaly`.as('anomaly'),
      sql<AlertRule | null>`s.alert`.as('alert'),
      sql<RowMemory | null>`s.row_memory`.as('rowMemory'),
      sql<QuietHours | null>`s.quiet_hours`.as('quietHours'),
      sql<RowRouting | null>`(
        select json_build_object('column', g.column_name, 'fallbackRecipientId', g.fallback_recipient_id,
          'routeCount', (select count(*) from svc.subscription_routes t where t.subscription_id = s.id))
        from svc.subscription_routings g where g.subscription_id = s.id)`.as('routing'),
      sql<SubscriptionRow['alertState']>`(
        select ${sql.raw(alertJson)}
        from svc.alert_states a where a.subscription_id = s.id and s.alert is not null)`.as('alertState'),
      sql<SubscriptionRow['rememberedRows']>`(
        select json_build_object('rowCount', m.row_count, 'duplicateKeyCount', m.duplicate_key_count, 'updatedAt', m.updated_at)
        from svc.row_memories m where m.subscription_id = s.id)`.as('rememberedRows'),
      sql<Date | null>`case when s.snoozed_until > now() then s.snoozed_until end`.as('snoozedUntil'),
      sql<string | null>`case when s.snoozed_until > now() then s.snooze_reason end`.as('snoozeReason'),
      's.is_demo as isDemo',
      's.created_time as createdTime',
      's.archived_at as archivedAt',
      's.paused_at as pausedAt',
      's.stopped_reason as stoppedReason',
      's.version',
      sql<SubscriptionRow['recipients']>`coalesce((
        select json_agg(json_build_object('id', r.id, 'name', r.name, 'notificationType', r.notification_type, 'state', r.state) order by r.name collate "C", r.id)
        from svc.subscription_recipients sr join svc.recipients r on r.id = sr.recipient_id where sr.subscription_id = s.id), '[]')`.as(
        'recipients',
      ),
      sql<SubscriptionRow['lastRun']>`(
        select json_build_object('id', r.id, 'status', r.status, 'reason', r.reason, 'createdTime', r.created_time)
        from svc.runs r where r.subscription_id = s.id and ${visible} order by r.due_at desc, r.id desc limit 1)`.as(
        'lastRun',
      ),
      sql<SubscriptionRow['lastMissed']>`(
        select json_build_object('id', m.id, 'firstDueAt', m.first_due_at, 'lastDueAt', m.last_due_at,
          'missedCount', m.missed_count, 'noticedAt', m.noticed_at, 'reason', m.reason)
        from svc.missed_runs m where m.subscription_id = s.id and m.missed_count > 0 order by m.first_due_at desc limit 1)`.as(
        'lastMissed',
      ),
    ]);

/** Returns one page of the subscriptions in the given projects (null: in all), each with its last visible run. */
export async function listSubscriptions(
  executor: Executor,
  view: { readonly projectIds: readonly number[] | null; readonly visibleRuns: RawBuilder<boolean> },
  filter: SubscriptionFilter,
  page: PageRequest,
): Promise<{ rows: SubscriptionRow[]; totalCount: number }> {
  const { projectIds, visibleRuns } = view;
  let base = selected(executor, visibleRuns);
  if (projectIds !== null) base = base.where(sql<boolean>`q.project_id = any(${projectIds}::int[])`);
  if (filter.projectId !== undefined) base = base.where('q.project_id', '=', filter.projectId);
  if (filter.queryId !== undefined) base = base.where('s.query_id', '=', filter.queryId);
  if (filter.state !== 'All')
    base = base.where('s.archived_at', filter.state === 'Archived' ? 'is not' : 'is', null);
  if (filter.state === 'Paused') base = base.where('s.paused_at', 'is not', null);
  if (filter.search) base = base.where(sql<boolean>`position(lower(${filter.search}) in lower(q.name)) > 0`);
  const counted = await base
    .clearSelect()
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  const rows = await base
    .orderBy(sql.raw(orderBy(page)))
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { rows: rows as SubscriptionRow[], totalCount: counted.count };
}

const none = sql<boolean>`false`;

/** Finds a subscription, including archived ones. Without `visibleRuns` it omits the last run. */
export async function findSubscription(
  executor: Executor,
  id: number,
  visibleRuns: RawBuilder<boolean> = none,
): Promise<SubscriptionRow | undefined> {
  const row = await selected(executor, visibleRuns).where('s.id', '=', id).executeTakeFirst();
  return row as SubscriptionRow | undefined;
}
