import * as contract from '@svc/contract';
import { expectedVersion, type Route, readRoute, route, setVersionTag } from '../../platform/http/index.ts';
import { previewExtentOf, type QueriesService, withNumbers } from '../queries/index.ts';
import type { QueryVersionsService } from './service.ts';

/** @param live ad-hoc runs, so that a caller can stop a preview. */
export const queryVersionRoutes = (service: QueryVersionsService, live: QueriesService['live']): Route[] => [
  readRoute(contract.listQueryVersions, ({ caller, params, query }) =>
    service.list(caller, params.id, query),
  ),
  route(contract.getQueryVersion, ({ caller, params }) => service.get(caller, params.id)),
  route(contract.diffQueryVersions, ({ caller, query }) => service.diff(caller, query.from, query.to)),
  route(contract.previewQueryVersion, ({ caller, params, query, body, signal }) =>
    live.run(caller, query.runKey, signal, async (stoppable) =>
      withNumbers(
        await service.preview(caller, params.id, body.parameters ?? {}, previewExtentOf(query), stoppable),
        query.numbers,
      ),
    ),
  ),
  route(contract.restoreQueryVersion, async (context) => {
    const { params, body, request } = context;
    const { query, isWaiting } = await service.restore(
      context,
      params.id,
      body.changeReason,
      expectedVersion(request),
    );
    setVersionTag(context.reply, query.version);
    if (isWaiting) context.reply.code(202);
    return query;
  }),
  readRoute(contract.listQueryChanges, ({ caller, params, query }) =>
    service.changes(caller, params.id, query),
  ),
];
