import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { ResendService } from './resend.ts';

export const deliveryRoutes = (resend: ResendService): Route[] => [
  route(contract.resendDelivery, async (context) =>
    resend.one(context, context.params.id, context.params.deliveryId),
  ),
  route(contract.resendFailedDeliveries, async (context) =>
    resend.failedOfRun(context, context.params.id, context.body.includesUnknown ?? false),
  ),
  route(contract.resendFailedOfWindow, async (context) => resend.failedOfWindow(context, context.body)),
];
