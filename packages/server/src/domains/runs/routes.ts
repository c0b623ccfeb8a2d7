import * as contract from '@svc/contract';
import { type Route, readRoute, route } from '../../platform/http/index.ts';
import type { PreviewService } from './preview.ts';
import type { ResendService } from './resend.ts';
import type { HistoryService } from './service.ts';
import { previewTemplate } from './template-preview.ts';

export const notificationRoutes = (history: HistoryService, resend: ResendService): Route[] => [
  readRoute(contract.listNotifications, async ({ caller, query }) => history.list(caller, query)),
  route(contract.getNotification, async ({ caller, params }) => history.get(caller, params.id)),
  route(contract.resendDelivery, async (context) =>
    resend.one(context, context.params.id, context.params.deliveryId),
  ),
  route(contract.resendFailedDeliveries, async (context) =>
    resend.failedOfRun(context, context.params.id, context.body.includesUnknown ?? false),
  ),
  route(contract.resendFailedOfWindow, async (context) => resend.failedOfWindow(context, context.body)),
];

export const previewRoutes = (previews: PreviewService): Route[] => [
  route(contract.previewMessages, async ({ caller, params, body, signal }) =>
    previews.preview(caller, params.id, body.source, signal),
  ),
  route(contract.previewTemplate, async ({ body }) =>
    previewTemplate(body.notificationType, body.bodyTemplate),
  ),
];
