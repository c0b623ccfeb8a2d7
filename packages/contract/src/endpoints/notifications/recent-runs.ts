import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, nullable, Time, wordOf } from '../../shapes.ts';
import { plural } from '../../wording.ts';
import { deliveryStates, runStatuses } from './notifications.ts';

const tag = 'notifications';

/** Runs and deliveries listed for each subject, at most; the newest. */
export const recentMax = 30;

const idsOf = (what: string) =>
  Type.String({
    pattern: '^[1-9][0-9]{0,8}(,[1-9][0-9]{0,8}){0,199}$',
    description: `Ids of ${what}, separated by commas; at most 200.`,
  });

export const RecentRun = Type.Object({
  notificationId: Id,
  dueAt: Time,
  status: wordOf(runStatuses),
  resultCount: nullable(Type.Integer()),
});
export type RecentRun = Static<typeof RecentRun>;

export const RecentRuns = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        subscriptionId: Id,
        runs: Type.Array(RecentRun, {
          description: `The last ${plural(recentMax, 'run')} that the caller may see, oldest first.`,
        }),
      }),
      { description: 'Subscriptions without such a run are omitted.' },
    ),
  },
  { $id: 'RecentRuns' },
);
export type RecentRuns = Static<typeof RecentRuns>;

export const RecentDelivery = Type.Object({
  notificationId: Id,
  queryName: Type.String(),
  startedAt: Time,
  state: wordOf(deliveryStates),
});
export type RecentDelivery = Static<typeof RecentDelivery>;

export const RecentDeliveries = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        recipientId: Id,
        deliveries: Type.Array(RecentDelivery, {
          description: `The last ${plural(recentMax, 'attempt')} of runs that the caller may see, oldest first.`,
        }),
      }),
      { description: 'Recipients without such an attempt are omitted.' },
    ),
  },
  { $id: 'RecentDeliveries' },
);
export type RecentDeliveries = Static<typeof RecentDeliveries>;

export const listRecentRuns = defineEndpoint({
  operationId: 'listRecentRuns',
  tag,
  summary: 'Statuses and row counts of the last runs of subscriptions',
  method: 'GET',
  path: '/svc/api/notifications/recent-runs',
  query: Type.Object({ subscriptionIds: idsOf('subscriptions') }),
  responses: { 200: RecentRuns },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});

export const listRecentDeliveries = defineEndpoint({
  operationId: 'listRecentDeliveries',
  tag,
  summary: 'Results of the last delivery attempts to recipients',
  method: 'GET',
  path: '/svc/api/notifications/recent-deliveries',
  query: Type.Object({ recipientIds: idsOf('recipients') }),
  responses: { 200: RecentDeliveries },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});
