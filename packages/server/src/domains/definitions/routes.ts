import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { DefinitionsService } from './service.ts';

export const definitionRoutes = (service: DefinitionsService): Route[] => [
  route(contract.getDefinitionSchemas, async () => ({ schemas: service.schemas() })),
  route(contract.exportDefinitions, ({ caller, body }) => service.export(caller, body)),
  route(contract.planDefinitions, ({ caller, body }) => service.plan(caller, body)),
  route(contract.applyDefinitions, (context) => service.apply(context, context.body)),
  route(contract.getDefinitionObject, ({ caller, params }) => service.get(caller, params.kind, params.id)),
  route(contract.releaseDefinitionObject, (context) =>
    service.release(context, context.params.kind, context.params.id),
  ),
  route(contract.changeDefinitionSlug, (context) => {
    const { params, body } = context;
    return service.changeSlug(context, params.kind, params.id, body.slug);
  }),
];
