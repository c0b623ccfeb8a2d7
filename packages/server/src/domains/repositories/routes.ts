import * as contract from '@svc/contract';
import { expectedVersion, type Route, readRoute, route, setVersionTag } from '../../platform/http/index.ts';
import type { RepositoriesService } from './service.ts';

export const repositoryRoutes = (repositories: RepositoriesService): Route[] => [
  readRoute(contract.listRepositories, ({ caller, params, query }) =>
    repositories.list(caller, params.id, query),
  ),
  route(contract.addRepository, async (context) => {
    const added = await repositories.add(context, context.params.id, context.body);
    setVersionTag(context.reply, added.version);
    return added;
  }),
  route(contract.changeRepository, async (context) => {
    const { params, body, request, reply } = context;
    const changed = await repositories.change(context, params.id, body, expectedVersion(request));
    setVersionTag(reply, changed.version);
    return changed;
  }),
  route(contract.removeRepository, async (context) => {
    await repositories.remove(context, context.params.id, expectedVersion(context.request));
    return undefined;
  }),
  route(contract.setRepositoryToken, async (context) => {
    await repositories.setToken(context, context.params.id, context.body.token);
    return undefined;
  }),
  route(contract.scanRepository, ({ caller, params }) => repositories.scan(caller, params.id)),
  readRoute(contract.listCodeReferences, ({ caller, params, query }) =>
    repositories.references(caller, params.id, query),
  ),
];
