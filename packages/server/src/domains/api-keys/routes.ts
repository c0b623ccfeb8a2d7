import { createApiKey, listAllApiKeys, listApiKeys, revokeAnyApiKey, revokeApiKey } from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { ApiKeysService } from './service.ts';

export const apiKeyRoutes = (service: ApiKeysService): Route[] => [
  route(listApiKeys, ({ caller, query }) => service.listOwn(caller, query)),
  route(createApiKey, (context) => service.create(context.body, context)),
  route(revokeApiKey, async (context) => {
    await service.revokeOwn(context.params.id, context);
    return undefined;
  }),
  route(listAllApiKeys, ({ caller, query }) => service.listAll(caller, query)),
  route(revokeAnyApiKey, async (context) => {
    await service.revokeAny(context.params.id, context);
    return undefined;
  }),
];
