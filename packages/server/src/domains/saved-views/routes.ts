import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { SavedViewsService } from './service.ts';

export const savedViewRoutes = (service: SavedViewsService): Route[] => [
  route(contract.listSavedViews, ({ caller, query }) => service.list(caller, query.list)),
  route(contract.createSavedView, async ({ caller, body, reply }) => {
    const created = await service.create(caller, body);
    reply.header('location', `/svc/api/saved-views/${created.id}`);
    return created;
  }),
  route(contract.updateSavedView, ({ caller, params, body }) => service.update(caller, params.id, body)),
  route(contract.deleteSavedView, async ({ caller, params }) => {
    await service.remove(caller, params.id);
    return undefined;
  }),
];
