import type {
  AlertRule,
  AnomalyWatch,
  NotificationTrigger,
  QuietHours,
  RowMemory,
  RunOverlap,
} from '@svc/contract';

/** Settings of a subscription, without its query and schedule. */
export type Settings = {
  notificationTrigger: NotificationTrigger;
  minimumRowCount: number | null;
  maxRows: number | null;
  timeoutSeconds: number | null;
  overlap: RunOverlap;
  showQuery: boolean;
  storeResults: boolean;
  includeAttachment: boolean;
  attachmentFormat: 'Csv' | 'Xlsx' | null;
  createTasks: boolean;
  slaHours: number | null;
  parameters: Record<string, string | number | boolean | null>;
  anomaly: AnomalyWatch | null;
  alert: AlertRule | null;
  rowMemory: RowMemory | null;
  quietHours: QuietHours | null;
};

/** Returns the values of the columns that store settings. */
export const settingsColumns = (settings: Settings) => ({
  notification_trigger: settings.notificationTrigger,
  minimum_row_count: settings.minimumRowCount,
  max_rows: settings.maxRows,
  timeout_seconds: settings.timeoutSeconds,
  overlap: settings.overlap,
  show_query: settings.showQuery,
  store_results: settings.storeResults,
  include_attachment: settings.includeAttachment,
  attachment_format: settings.attachmentFormat,
  create_tasks: settings.createTasks,
  sla_hours: settings.slaHours,
  parameters: JSON.stringify(settings.parameters),
  anomaly: settings.anomaly && JSON.stringify(settings.anomaly),
  alert: settings.alert && JSON.stringify(settings.alert),
  row_memory: settings.rowMemory && JSON.stringify(settings.rowMemory),
  quiet_hours: settings.quietHours && JSON.stringify(settings.quietHours),
});
