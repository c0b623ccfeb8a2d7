import type { ListQuery, Page, QueryFolder } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { pageOf, pageRequest } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { createChange } from './change.ts';
import { createCreate } from './create.ts';
import { createDelete } from './delete.ts';
import { moveQueriesWith } from './move-queries.ts';
import { createMoveQuery } from './move-query.ts';
import { presentFolder } from './present.ts';
import { folderSortable, listFolders } from './store.ts';
import { existingFolder, type FolderChangeDeps } from './tree.ts';

export type QueryFoldersDeps = FolderChangeDeps & { readonly database: Database };

export type QueryFoldersService = ReturnType<typeof createQueryFoldersService>;

/**
 * Creates the service for folders of queries: a tree in each project. Readers of the project can read it, writers can
 * change it.
 */
export function createQueryFoldersService(deps: QueryFoldersDeps) {
  const { database, rights } = deps;

  /** Returns a change that runs in its own transaction. */
  const committed =
    <Input extends readonly unknown[], Result>(
      change: (tx: Tx, by: CallerActor, ...input: Input) => Promise<Result>,
    ) =>
    (by: CallerActor, ...input: Input): Promise<Result> =>
      database.transaction((tx) => change(tx, by, ...input));

  return {
    list: async (
      caller: Caller,
      query: ListQuery & { readonly search?: string; readonly projectId?: number },
    ): Promise<Page<QueryFolder>> => {
      const page = pageRequest(query, { sortable: folderSortable, byDefault: 'path', unique: 'f.id' });
      const filter = { search: query.search || null, projectId: query.projectId ?? null };
      const projectIds = await rights.readableIds(database, caller);
      const { rows, totalCount } = await listFolders(database, projectIds, filter, page);
      return pageOf(rows.map(presentFolder), totalCount, page);
    },

    get: async (caller: Caller, id: number): Promise<QueryFolder> => {
      const folder = await existingFolder(database, id);
      await rights.require(database, caller, folder.projectId, 'Read');
      return presentFolder(folder);
    },

    create: committed(createCreate(deps)),
    change: committed(createChange(deps)),
    delete: committed(createDelete(deps)),
    moveQuery: committed(createMoveQuery(deps)),
    moveQueries: moveQueriesWith(deps),
  };
}
