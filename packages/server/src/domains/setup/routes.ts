import { createSuperAdmin, getSetupStatus, listSetupRoles } from '@svc/contract';
import {
  pageOf,
  pageRequest,
  type Route,
  refuseCrossSite,
  route,
  unauthorized,
} from '../../platform/http/index.ts';
import type { SetupService } from './service.ts';

export const setupRoutes = (service: SetupService, trustedHosts: ReadonlySet<string>): Route[] => [
  route(getSetupStatus, async () => ({ isOpen: await service.isOpen() })),
  route(listSetupRoles, async ({ caller, query }) => {
    if (caller.kind === 'anonymous' && !(await service.isOpen())) throw unauthorized();
    const page = pageRequest(query, { sortable: {}, byDefault: '', unique: 'name' });
    const roles = service.roles();
    return pageOf(roles.slice(page.offset, page.offset + page.limit), roles.length, page);
  }),
  route(createSuperAdmin, async (context) => {
    refuseCrossSite(context.request, trustedHosts);
    return service.createSuperAdmin(context.body, context, context.reply);
  }),
];
