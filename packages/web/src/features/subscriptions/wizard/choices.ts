import {
  type AlertRule,
  type AnomalyWatch,
  type AttachmentFormat,
  alertDefaults,
  anomalyDefaults,
  type BodyOf,
  type createSubscription,
  keyColumnsMax,
  type NotificationTrigger,
  type QuietHours,
  type RowMemory,
  type RowRoute,
  type RunOverlap,
  rowMemoryDefaults,
  type Subscription,
  slaHoursMax,
  subscriptionMax,
  type updateSubscription,
} from '@svc/contract';
import { count, plural, viewerZone } from '../../../lib/format.ts';
import { alertRunsError } from '../../../views/alerts/alert-rule-fields.tsx';
import { type ParameterValue, setValues } from '../../../views/query-run/parameter-values.ts';
import { windowError } from '../../../views/quiet-hours/quiet-hours.ts';
import type { PickedRecipient } from '../../../views/recipients/recipient-picker.tsx';
import { expressionOf, firstPlan, type Plan } from '../../../views/schedule/cron.ts';
import { type Routing, routingErrors } from './fields/routing.ts';

/** Subscription in the wizard. */
export type Choices = {
  readonly queryId: number | null;
  readonly plan: Plan;
  readonly timeZone: string;
  readonly recipients: readonly PickedRecipient[];
  readonly trigger: NotificationTrigger;
  readonly minimumRowCount: number | null;
  readonly maxRows: number | null;
  readonly timeoutSeconds: number | null;
  /** Behaviour for a due time during the preceding run. */
  readonly overlap: RunOverlap;
  readonly showQuery: boolean;
  readonly storeResults: boolean;
  readonly createTasks: boolean;
  readonly slaHours: number | null;
  readonly attachment: AttachmentFormat | null;
  /** Settings of anomaly detection. Null: off. */
  readonly anomaly: AnomalyWatch | null;
  /** Settings of the trigger `WhileRows`. They are retained while another trigger is selected. */
  readonly alert: AlertRule;
  /**
   * Key columns and reported changes of the trigger `OnRowChange`. They are retained while another trigger is selected.
   */
  readonly rowMemory: RowMemory;
  /** Times without notifications. Null: none. */
  readonly quietHours: QuietHours | null;
  /** Routing of rows to recipients. Null: all recipients get all rows. */
  readonly routing: Routing | null;
  readonly values: Readonly<{ [name: string]: ParameterValue }>;
};

export type StepProps = {
  readonly choices: Choices;
  readonly change: (part: Partial<Choices>) => void;
};

const noRowMemory: RowMemory = { ...rowMemoryDefaults, keyColumns: [] };

/** Defaults of a new subscription: it notifies after every run, on weekday mornings in the user's time zone. */
export const firstChoices = (queryId: number | null): Choices => ({
  queryId,
  plan: firstPlan,
  timeZone: viewerZone,
  recipients: [],
  trigger: 'Always',
  minimumRowCount: null,
  maxRows: null,
  timeoutSeconds: null,
  overlap: 'Skip',
  showQuery: false,
  storeResults: true,
  createTasks: false,
  slaHours: null,
  attachment: null,
  anomaly: null,
  alert: alertDefaults,
  rowMemory: noRowMemory,
  quietHours: null,
  routing: null,
  values: {},
});

/**
 * Returns the choices of a subscription, to change or to replace it.
 *
 * @param routes  Its routes, which have a separate request.
 */
export const choicesOf = (record: Subscription, routes: readonly RowRoute[]): Choices => ({
  queryId: record.queryId,
  plan: { ...firstPlan, kind: 'custom', expression: record.schedule.cronExpression },
  timeZone: record.schedule.timeZone,
  recipients: record.recipients,
  trigger: record.notificationTrigger,
  minimumRowCount: record.minimumRowCount,
  maxRows: record.maxRows,
  timeoutSeconds: record.timeoutSeconds,
  overlap: record.overlap,
  showQuery: record.showQuery,
  storeResults: record.storeResults,
  createTasks: record.createTasks,
  slaHours: record.slaHours,
  attachment: record.includeAttachment ? (record.attachmentFormat ?? 'Csv') : null,
  anomaly: record.anomaly,
  alert: record.alert ?? alertDefaults,
  rowMemory: record.rowMemory ?? noRowMemory,
  quietHours: record.quietHours,
  routing: record.routing && {
    column: record.routing.column,
    fallbackRecipientId: record.routing.fallbackRecipientId,
    routes,
  },
  values: record.parameters,
});

const numberMax = { ...subscriptionMax, slaHours: slaHoursMax } as const;
type NumberName = keyof typeof numberMax;

/** Returns the error of a number. Undefined if it is valid. */
export function numberError(choices: Choices, name: NumberName): string | undefined {
  const value = choices[name];
  if (value === null || (Number.isInteger(value) && value >= 1 && value <= numberMax[name])) return undefined;
  return `From 1 to ${count(numberMax[name])}.`;
}

/** Returns true if all message settings are valid. */
export const areSettingsSound = (choices: Choices): boolean =>
  routingErrors(choices) === undefined &&
  (choices.quietHours?.windows ?? []).every((window) => windowError(window) === undefined) &&
  (Object.keys(numberMax) as NumberName[]).every((name) => numberError(choices, name) === undefined) &&
  (choices.trigger !== 'WhileRows' ||
    alertRunsNames.every((name) => alertRunsError(choices.alert[name]) === undefined)) &&
  (choices.trigger !== 'OnRowChange' ||
    (keyColumnsError(choices.rowMemory) === undefined && choices.rowMemory.changes.length > 0));

const alertRunsNames = ['pendingRuns', 'recoverRuns'] as const;

/** Returns the error of the key columns. Undefined if they are valid. */
export const keyColumnsError = ({ keyColumns }: RowMemory): string | undefined =>
  keyColumns.length >= 1 && keyColumns.length <= keyColumnsMax
    ? undefined
    : `Name 1 to ${plural(keyColumnsMax, 'column')}.`;

/** Returns the settings of anomaly detection. The trigger `OnAnomaly` always has them. */
export const watchOf = ({ anomaly, trigger }: Choices): AnomalyWatch | null =>
  anomaly ?? (trigger === 'OnAnomaly' ? anomalyDefaults : null);

/** Returns the settings of the message: all choices without query, schedule and recipients. */
export const settingsOf = (choices: Choices): BodyOf<typeof updateSubscription> => ({
  notificationTrigger: choices.trigger,
  minimumRowCount: choices.minimumRowCount,
  maxRows: choices.maxRows,
  timeoutSeconds: choices.timeoutSeconds,
  overlap: choices.overlap,
  showQuery: choices.showQuery,
  storeResults: choices.storeResults,
  createTasks: choices.createTasks,
  slaHours: choices.createTasks ? choices.slaHours : null,
  includeAttachment: choices.attachment !== null,
  attachmentFormat: choices.attachment,
  parameters: setValues(choices.values),
  anomaly: watchOf(choices),
  alert: choices.trigger === 'WhileRows' ? choices.alert : null,
  rowMemory: choices.trigger === 'OnRowChange' ? choices.rowMemory : null,
  quietHours: choices.quietHours,
  routing: choices.routing && { ...choices.routing, routes: [...choices.routing.routes] },
});

/** Returns the request that creates the subscription. */
export const bodyOf = (choices: Choices): BodyOf<typeof createSubscription> => ({
  queryId: choices.queryId ?? 0,
  cronExpression: expressionOf(choices.plan),
  timeZone: choices.timeZone,
  recipientIds: choices.recipients.map((recipient) => recipient.id),
  ...settingsOf(choices),
});
