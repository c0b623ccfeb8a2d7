import * as contract from '@svc/contract';
import { expectedVersion, type Route, readRoute, route, setVersionTag } from '../../platform/http/index.ts';
import type { QueryFoldersService } from './service.ts';

export const queryFolderRoutes = (service: QueryFoldersService): Route[] => [
  readRoute(contract.listQueryFolders, ({ caller, query }) => service.list(caller, query)),
  route(contract.getQueryFolder, async ({ caller, params, reply }) => {
    const folder = await service.get(caller, params.id);
    setVersionTag(reply, folder.version);
    return folder;
  }),
  route(contract.createQueryFolder, async (context) => {
    const folder = await service.create(context, context.body);
    context.reply.header('location', `/svc/api/query-folders/${folder.id}`);
    setVersionTag(context.reply, folder.version);
    return folder;
  }),
  route(contract.changeQueryFolder, async (context) => {
    const { params, body, request } = context;
    const changed = await service.change(context, params.id, body, expectedVersion(request));
    setVersionTag(context.reply, changed.version);
    return changed;
  }),
  route(contract.deleteQueryFolder, async (context) => {
    const { params, query, request } = context;
    await service.delete(context, params.id, query.moveContents ?? false, expectedVersion(request));
    return undefined;
  }),
  route(contract.moveQueries, (context) =>
    service.moveQueries(context, context.body.queryIds, context.body.folderId),
  ),
  route(contract.setQueryFolder, async (context) => {
    const query = await service.moveQuery(context, context.params.id, context.body.folderId);
    setVersionTag(context.reply, query.version);
    return query;
  }),
];
