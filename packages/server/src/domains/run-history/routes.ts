import * as contract from '@svc/contract';
import { type Route, readRoute, route } from '../../platform/http/index.ts';
import type { HistoryService } from './service.ts';

export const historyRoutes = (history: HistoryService): Route[] => [
  readRoute(contract.listNotifications, async ({ caller, query }) => history.list(caller, query)),
  route(contract.listRecentRuns, ({ caller, query }) => history.recentRuns(caller, query.subscriptionIds)),
  route(contract.listRecentDeliveries, ({ caller, query }) =>
    history.recentDeliveries(caller, query.recipientIds),
  ),
  readRoute(contract.getLastResult, ({ caller, params, query }) =>
    history.lastResult(caller, { ...query, queryId: params.id }),
  ),
  route(contract.getRunTimeline, ({ caller, params }) => history.timeline(caller, params.id)),
  route(contract.getNotification, async ({ caller, params }) => history.get(caller, params.id)),
];
