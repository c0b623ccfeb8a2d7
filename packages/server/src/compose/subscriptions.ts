import { anomalyRoutes, createAnomaliesService } from '../domains/anomalies/index.ts';
import { moveSubscriptionDefinition } from '../domains/definitions/index.ts';
import { projectRights } from '../domains/projects/index.ts';
import { checkParameterValues, findQuery } from '../domains/queries/index.ts';
import type { RowRoutings } from '../domains/row-routing/index.ts';
import {
  createSchedules,
  createSubscriptionsService,
  type SubscriptionsService,
  subscriptionRoutes,
} from '../domains/subscriptions/index.ts';
import { moveOpenTask } from '../domains/tasks/index.ts';
import type { AdministrationPart } from './administration.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import type { RecipientsPart } from './recipients.ts';
import type { RunsPart } from './runs.ts';
import type { TaskLife } from './tasks.ts';

export type SubscriptionsPart = Part & { readonly subscriptions: SubscriptionsService };

/** Composes subscriptions: their schedules and recipients. */
export function composeSubscriptions(
  ground: Ground,
  deps: {
    readonly runs: RunsPart;
    readonly life: Pick<TaskLife, 'recordAcknowledgement'>;
    readonly routings: RowRoutings;
    readonly recipients: Pick<RecipientsPart, 'approvals'>;
    readonly adminSettings: AdministrationPart['adminSettings'];
  },
): SubscriptionsPart {
  const { database, audit, clock, settings } = ground;
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
