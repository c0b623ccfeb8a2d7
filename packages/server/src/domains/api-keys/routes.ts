import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { KeyInspection } from './inspection.ts';
import type { ApiKeysService } from './service.ts';

export const apiKeyRoutes = (service: ApiKeysService): Route[] => [
  route(contract.listApiKeys, ({ caller, query }) => service.listOwn(caller, query)),
  route(contract.createApiKey, (context) => service.create(context.body, context)),
  route(contract.replaceApiKey, (context) => service.replace(context.params.id, context.body, context)),
  route(contract.revokeApiKey, async (context) => {
    await service.revokeOwn(context.params.id, context);
    return undefined;
  }),
  route(contract.listAllApiKeys, ({ caller, query }) => service.listAll(caller, query)),
  route(contract.revokeAnyApiKey, async (context) => {
    await service.revokeAny(context.params.id, context);
    return undefined;
  }),
];

/** Endpoints of `keyInspectionRoutes`, which explanations include like all others. */
export const keyInspectionEndpoints: readonly contract.Endpoint[] = [
  contract.getApiKeyUses,
  contract.explainApiKey,
  contract.getAnyApiKeyUses,
  contract.explainAnyApiKey,
];

export const keyInspectionRoutes = (inspection: KeyInspection): Route[] => [
  route(contract.getApiKeyUses, ({ caller, params }) => inspection.ownUses(params.id, caller)),
  route(contract.explainApiKey, ({ caller, params }) => inspection.explainOwn(params.id, caller)),
  route(contract.getAnyApiKeyUses, ({ params }) => inspection.anyUses(params.id)),
  route(contract.explainAnyApiKey, ({ caller, params }) => inspection.explainAny(params.id, caller)),
];
