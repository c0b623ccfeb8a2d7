import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { AdminSettingsService } from './service.ts';

export const adminSettingsRoutes = (service: AdminSettingsService): Route[] => [
  route(contract.getAdminSettings, async () => service.get()),
  route(contract.updateAdminSettings, async (context) => service.update(context, context.body)),
];
