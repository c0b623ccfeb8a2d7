import { listRecentDeliveries, listRecentRuns, type RecentDelivery, type RecentRun } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { together } from '../../lib/calls/together.ts';

const runsOf = together<readonly RecentRun[]>(async (ids) => {
  const { items } = await call(listRecentRuns, { query: { subscriptionIds: ids.join(',') } });
  return new Map(items.map(({ subscriptionId, runs }) => [subscriptionId, runs]));
}, []);

const deliveriesOf = together<readonly RecentDelivery[]>(async (ids) => {
  const { items } = await call(listRecentDeliveries, { query: { recipientIds: ids.join(',') } });
  return new Map(items.map(({ recipientId, deliveries }) => [recipientId, deliveries]));
}, []);

/** Last runs of one subscription, oldest first. All rows of a list share one request. */
export const recentRuns = (subscriptionId: number) =>
  queryOptions({
    queryKey: [listRecentRuns.tag, listRecentRuns.operationId, subscriptionId] as const,
    queryFn: () => runsOf(subscriptionId),
  });

/** Last deliveries to one recipient, oldest first. All rows of a list share one request. */
export const recentDeliveries = (recipientId: number) =>
  queryOptions({
    queryKey: [listRecentDeliveries.tag, listRecentDeliveries.operationId, recipientId] as const,
    queryFn: () => deliveriesOf(recipientId),
  });
