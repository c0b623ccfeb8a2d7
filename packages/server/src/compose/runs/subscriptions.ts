import { anomalyRoutes, createAnomaliesService } from '../../domains/anomalies/index.ts';
import { moveSubscriptionDefinition } from '../../domains/definitions/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import { checkParameterValues, findQuery } from '../../domains/queries/index.ts';
import type { RowRoutings } from '../../domains/row-routing/index.ts';
import {
  createSchedules,
  createSubscriptionsService,
  type SubscriptionsService,
  subscriptionRoutes,
} from '../../domains/subscriptions/index.ts';
import { moveOpenTask } from '../../domains/tasks/index.ts';
import type { AdministrationModule } from '../administration.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { RecipientsModule } from './recipients.ts';
import type { RunsModule } from './runs.ts';
import type { TaskLife } from './tasks.ts';

export type SubscriptionsModule = Module & { readonly subscriptions: SubscriptionsService };

/** Composes subscriptions: their schedules and recipients. */
export function composeSubscriptions(
  infra: Infrastructure,
  deps: {
    readonly runs: RunsModule;
    readonly life: Pick<TaskLife, 'recordAcknowledgement'>;
    readonly routings: RowRoutings;
    readonly recipients: Pick<RecipientsModule, 'approvals'>;
    readonly adminSettings: AdministrationModule['adminSettings'];
  },
): SubscriptionsModule {
  const { database, audit, clock, settings } = infra;
  const { runs, adminSettings } = deps;
  const subscriptions = createSubscriptionsService({
    database,
    rights: projectRights,
    audit,
    schedules: createSchedules({
      minimumIntervalSeconds: settings.subscriptions.minimumIntervalSeconds,
      defaultTimeZone: async () => (await adminSettings.valueOf('defaultTimeZone')) ?? 'UTC',
      now: () => clock.now(),
    }),
    loadQuery: findQuery,
    checkParameters: (query, values) => checkParameterValues(query.parameters, values),
    setSchedule: runs.setSchedule,
    startTestRun: runs.startTestRun,
    recipientState: deps.recipients.approvals.stateOf,
    listMissedRuns: runs.missedRuns.list,
    moveOpenTask,
    recordAcknowledgement: deps.life.recordAcknowledgement,
    moveDefinition: moveSubscriptionDefinition,
    routings: deps.routings,
    visibleRuns: runs.history.visibleTo,
  });
  const anomalies = createAnomaliesService({
    database,
    audit,
    rights: projectRights,
    visibleRuns: runs.history.visibleTo,
  });
  return {
    subscriptions,
    routes: [...subscriptionRoutes(subscriptions, () => clock.now()), ...anomalyRoutes(anomalies)],
  };
}
