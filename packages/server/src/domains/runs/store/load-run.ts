import type {
  AlertRule,
  AnomalyWatch,
  NotificationTrigger,
  QuietHours,
  RowMemory,
  RunStatus,
} from '@svc/contract';
import type { Executor } from '../../../platform/db/index.ts';

/** Fields of a run and its subscription for the pipeline. */
export type RunToExecute = {
  id: number;
  dueAt: Date;
  subscriptionId: number;
  queryId: number;
  queryName: string;
  projectId: number;
  status: RunStatus;
  notificationTrigger: NotificationTrigger;
  minimumRowCount: number | null;
  maxRows: number | null;
  timeoutSeconds: number | null;
  showQuery: boolean;
  storeResults: boolean;
  createTasks: boolean;
  /** Format of the attachment; null without an attachment. */
  attachmentFormat: 'Csv' | 'Xlsx' | null;
  parameters: Record<string, unknown>;
  /** Rule for watching counts; null: counts are not watched. */
  anomaly: AnomalyWatch | null;
  /** Rule of the alert; null for every trigger except `WhileRows`. */
  alert: AlertRule | null;
  /** Rule for remembering rows; null for every trigger except `OnRowChange`. */
  rowMemory: RowMemory | null;
  /** Hours without notifications; null: none. */
  quietHours: QuietHours | null;
  /** Time until which its message is held; null: not held. */
  heldUntil: Date | null;
  isArchived: boolean;
  /** True when the message of another run is held. */
  hasHeld: boolean;
  timeZone: string;
  messageSealed: string | null;
  /** True when several messages replace its message. Each goes to some recipients or to all. */
  hasOwnMessages: boolean;
  origin: 'Schedule' | 'Test';
  /** True while a snooze prevents notifications. */
  isSnoozed: boolean;
};

/** @param dueAt  Null when the caller knows only the id. The query then reads every month. */
export async function loadRun(
  executor: Executor,
  runId: number,
  dueAt: Date | null,
): Promise<RunToExecute | undefined> {
  const { rows } = await executor.query<RunToExecute>({
    name: dueAt === null ? 'runs-load-by-id' : 'runs-load',
    text: `select r.id, r.due_at as "dueAt", r.subscription_id as "subscriptionId", r.query_id as "queryId", q.name as "queryName",
        q.project_id as "projectId", r.status,
        s.notification_trigger as "notificationTrigger", s.minimum_row_count as "minimumRowCount", s.max_rows as "maxRows",
        s.timeout_seconds as "timeoutSeconds", s.show_query as "showQuery", s.store_results as "storeResults",
        s.create_tasks as "createTasks",
        case when s.include_attachment then coalesce(s.attachment_format, 'Csv') end as "attachmentFormat",
        s.parameters, s.anomaly, s.alert, s.row_memory as "rowMemory", s.quiet_hours as "quietHours", r.held_until as "heldUntil",
        s.archived_at is not null as "isArchived",
        exists (select from svc.runs h where h.subscription_id = s.id and h.held_until is not null
          and h.status = 'Created' and h.id <> r.id) as "hasHeld", s.time_zone as "timeZone", r.message_sealed as "messageSealed",
        exists (select from svc.run_messages m where m.run_id = r.id and m.run_due_at = r.due_at) as "hasOwnMessages", r.origin, coalesce(s.snoozed_until > now(), false) as "isSnoozed"
      from svc.runs r join svc.subscriptions s on s.id = r.subscription_id join svc.queries q on q.id = r.query_id
      where r.id = $1 and ${dueAt === null ? '$2::timestamptz is null' : 'r.due_at = $2'}`,
    values: [runId, dueAt],
  });
  return rows[0];
}
