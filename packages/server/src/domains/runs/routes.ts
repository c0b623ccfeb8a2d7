import { getNotification, listNotifications } from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { HistoryService } from './service.ts';

export const notificationRoutes = (service: HistoryService): Route[] => [
  route(listNotifications, async ({ caller, query }) => service.list(caller, query)),
  route(getNotification, async ({ caller, params }) => service.get(caller, params.id)),
];
