import * as contract from '@svc/contract';
import { type Route, readRoute, route } from '../../platform/http/index.ts';
import type { HistoryService } from './service.ts';

export const historyRoutes = (history: HistoryService): Route[] => [
  readRoute(contract.listNotifications, async ({ caller, query }) => history.list(caller, query)),
  route(contract.getNotification, async ({ caller, params }) => history.get(caller, params.id)),
];
