import type { ListQuery, Page, Query, QueryListItem } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { pageOf, pageRequest } from '../../platform/http/index.ts';
import { type AdHocRunsDeps, createAdHocRuns } from './ad-hoc/ad-hoc-runs.ts';
import { createLiveRuns } from './ad-hoc/live-runs.ts';
import { presentQuery, presentQueryListItem } from './present.ts';
import { readableQuery } from './reach.ts';
import { createSaves } from './saves/saves.ts';
import type { SavesDeps } from './saves/write.ts';
import { listQueries, sortable } from './store.ts';

export type QueriesDeps = AdHocRunsDeps & SavesDeps;

export type QueriesService = ReturnType<typeof createQueriesService>;

/**
 * Creates the service for saved queries and ad-hoc runs. A query belongs to one project and reads only sources linked
 * to it.
 */
export function createQueriesService(deps: QueriesDeps) {
  const { database, rights } = deps;
  return {
    ...createSaves(deps),
    ...createAdHocRuns(deps),

    /** Runs previews under a key, and stops them. */
    live: createLiveRuns(),

    list: async (
      caller: Caller,
      query: ListQuery & Parameters<typeof listQueries>[2],
    ): Promise<Page<QueryListItem>> => {
      const { search, projectId, dataSourceId, folderId, check } = query;
      const page = pageRequest(query, { sortable, byDefault: 'name', unique: 'q.id' });
      const { rows, totalCount } = await listQueries(
        database,
        await rights.readableIds(database, caller),
        { search, projectId, dataSourceId, folderId, check },
        page,
      );
      return pageOf(rows.map(presentQueryListItem), totalCount, page);
    },

    get: async (caller: Caller, id: number): Promise<Query> => {
      const { row, canEdit } = await readableQuery(rights, database, caller, id);
      return presentQuery(row, caller, canEdit);
    },
  };
}
