import * as contract from '@svc/contract';
import { expectedVersion, type Route, route, setVersionTag } from '../../platform/http/index.ts';
import type { RelationshipsService } from './service.ts';

export const relationshipRoutes = (service: RelationshipsService): Route[] => [
  route(contract.listRelationships, ({ caller, params, query }) => service.list(caller, params.id, query)),
  route(contract.createRelationship, async (context) => {
    const relationship = await service.create(context, context.params.id, context.body);
    setVersionTag(context.reply, relationship.version);
    return relationship;
  }),
  route(contract.discoverRelationships, ({ caller, params }) => service.discover(caller, params.id)),
  route(contract.acceptRelationships, ({ caller, params, body }) =>
    service.accept(caller, params.id, body.proposals),
  ),
  route(contract.changeRelationship, async ({ caller, params, body, request, reply }) => {
    const { id, relationshipId } = params;
    const changed = await service.change(caller, id, relationshipId, body, expectedVersion(request));
    setVersionTag(reply, changed.version);
    return changed;
  }),
  route(contract.verifyRelationship, async (context) => {
    const { id, relationshipId } = context.params;
    const verified = await service.verify(context, id, relationshipId, context.body.isVerified);
    setVersionTag(context.reply, verified.version);
    return verified;
  }),
  route(contract.deleteRelationship, async ({ caller, params, request }) => {
    await service.delete(caller, params.id, params.relationshipId, expectedVersion(request));
    return undefined;
  }),
  route(contract.checkRelationship, ({ caller, params, signal }) =>
    service.check(caller, params.id, params.relationshipId, signal),
  ),
  route(contract.getSchemaHealth, ({ caller, params }) => service.health(caller, params.id)),
];
