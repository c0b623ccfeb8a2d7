import { folderDepthMax, type ListQuery, type Page, type Query, type QueryFolder } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { type Database, type Executor, isUniqueViolation, type Tx } from '../../platform/db/index.ts';
import { brokenRule, conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertVersion, type ProjectRights } from '../projects/index.ts';
import {
  addQueryChange,
  findQuery,
  lockQueryRow,
  presentQuery,
  requireFolder,
  writableQuery,
} from '../queries/index.ts';
import { moveQueriesWith } from './move-queries.ts';
import { presentFolder } from './present.ts';
import * as store from './store.ts';

export type QueryFoldersDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
};

export type QueryFoldersService = ReturnType<typeof createQueryFoldersService>;

const folderOf = async (executor: Executor, id: number): Promise<store.FolderRow> => {
  const folder = await store.findFolder(executor, id);
  if (!folder) throw notFound();
  return folder;
};

/** Refuses a name that another folder in the same place has. */
const refuseTwin = async <T>(change: Promise<T>): Promise<T> =>
  change.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'query_folders_name')) throw error;
    throw conflict('folder-exists', 'A folder in the same place has this name. Choose another one.', [
      { path: '/name', message: 'is taken in this place' },
    ]);
  });

/**
 * Refuses a parent below which the tree would be too deep.
 *
 * @param levels number of nested folders that the parent will contain.
 */
async function requireRoom(
  tx: Tx,
  projectId: number,
  parentId: number | null,
  levels: number,
): Promise<void> {
  if (parentId === null) return;
  await requireFolder(tx, projectId, parentId, '/parentId');
  const { names } = await folderOf(tx, parentId);
  if (names.length + levels > folderDepthMax)
    throw brokenRule('folders-too-deep', `At most ${folderDepthMax} folders stand in each other.`, [
      { path: '/parentId', message: 'is too deep' },
    ]);
}

/**
 * Creates the service for folders of queries: a tree in each project. Readers of the project can read it, writers can
 * change it.
 */
export function createQueryFoldersService({ database, rights, audit }: QueryFoldersDeps) {
  /** Locks the tree of a folder, checks the right and returns the current folder. */
  const changeable = async (
    tx: Tx,
    { caller }: CallerActor,
    id: number,
    expectedVersion: number | undefined,
  ): Promise<store.FolderRow> => {
    const { projectId } = await folderOf(tx, id);
    await store.lockTree(tx, projectId);
    await rights.require(tx, caller, projectId, 'Write');
    const folder = await folderOf(tx, id);
    assertVersion(folder.version, expectedVersion);
    return folder;
  };

  const record = (
    tx: Tx,
    by: CallerActor,
    event: 'created' | 'changed' | 'deleted',
    folder: { readonly id: number; readonly projectId: number },
  ): Promise<void> =>
    audit.record(tx, {
      by,
      event: `queries.folder_${event}`,
      subject: { kind: 'query_folder', id: folder.id },
      projectId: folder.projectId,
    });

  return {
    list: async (
      caller: Caller,
      query: ListQuery & { readonly search?: string; readonly projectId?: number },
    ): Promise<Page<QueryFolder>> => {
      const page = pageRequest(query, {
        sortable: store.folderSortable,
        byDefault: 'path',
        unique: 'f.id',
      });
      const filter = { search: query.search || null, projectId: query.projectId ?? null };
      const readable = await rights.readableIds(database, caller);
      const { rows, totalCount } = await store.listFolders(database, readable, filter, page);
      return pageOf(rows.map(presentFolder), totalCount, page);
    },

    get: async (caller: Caller, id: number): Promise<QueryFolder> => {
      const folder = await folderOf(database, id);
      await rights.require(database, caller, folder.projectId, 'Read');
      return presentFolder(folder);
    },

    create: (
      by: CallerActor,
      input: { readonly projectId: number; readonly parentId?: number | null; readonly name: string },
    ): Promise<QueryFolder> =>
      database.transaction(async (tx) => {
        const { projectId, parentId = null } = input;
        await store.lockTree(tx, projectId);
        await rights.require(tx, by.caller, projectId, 'Write');
        await requireRoom(tx, projectId, parentId, 1);
        const { userId } = by.caller;
        const name = input.name.trim();
        const id = await refuseTwin(store.insertFolder(tx, { projectId, parentId, name, userId }));
        await record(tx, by, 'created', { id, projectId });
        return presentFolder(await folderOf(tx, id));
      }),

    change: (
      by: CallerActor,
      id: number,
      change: { readonly parentId?: number | null; readonly name?: string },
      expectedVersion: number | undefined,
    ): Promise<QueryFolder> =>
      database.transaction(async (tx) => {
        const before = await changeable(tx, by, id, expectedVersion);
        const name = change.name?.trim() ?? before.name;
        const { parentId = before.parentId } = change;
        if (name === before.name && parentId === before.parentId) return presentFolder(before);
        if (parentId !== before.parentId) {
          const below = await store.foldersBelow(tx, id);
          if (below.some((folder) => folder.id === parentId))
            throw brokenRule('folder-below-itself', 'A folder cannot stand in itself or below itself.', [
              { path: '/parentId', message: 'is this folder, or below it' },
            ]);
          const height = Math.max(...below.map((folder) => folder.steps));
          await requireRoom(tx, before.projectId, parentId, height + 1);
        }
        await refuseTwin(store.updateFolder(tx, id, { name, parentId }));
        await record(tx, by, 'changed', before);
        return presentFolder(await folderOf(tx, id));
      }),

    /**
     * Deletes a folder, but no query. The contents move to the parent folder if `mayMoveContents` is true. Otherwise
     * the folder must be empty.
     */
    delete: (
      by: CallerActor,
      id: number,
      mayMoveContents: boolean,
      expectedVersion: number | undefined,
    ): Promise<void> =>
      database.transaction(async (tx) => {
        const folder = await changeable(tx, by, id, expectedVersion);
        await store.lockFolder(tx, id);
        if (!mayMoveContents && !(await store.isEmptyFolder(tx, id)))
          throw conflict('folder-not-empty', 'There are queries or folders in it. Move them out first.');
        const moved = await refuseTwin(store.moveContents(tx, id, folder.parentId));
        for (const queryId of moved) await addQueryChange(tx, queryId, 'Moved', by.caller.userId);
        await store.deleteFolder(tx, id);
        await record(tx, by, 'deleted', folder);
      }),

    moveQueries: moveQueriesWith({ database, rights, audit }),

    /** Moves a query without a new version: the folder is not part of the definition. */
    moveQuery: (by: CallerActor, queryId: number, folderId: number | null): Promise<Query> =>
      database.transaction(async (tx) => {
        const stored = await findQuery(tx, queryId);
        if (!stored) throw notFound();
        // Lock order: the tree, then the query. Deleting a folder uses the same order.
        await store.lockTree(tx, stored.projectId);
        await lockQueryRow(tx, queryId);
        const query = await writableQuery(rights, tx, by.caller, queryId);
        if (folderId === query.folderId) return presentQuery(query, by.caller, true);
        if (folderId !== null) await requireFolder(tx, query.projectId, folderId, '/folderId');
        await store.setFolderOfQuery(tx, queryId, folderId);
        await addQueryChange(tx, queryId, 'Moved', by.caller.userId);
        await audit.record(tx, {
          by,
          event: 'queries.query_moved',
          subject: { kind: 'query', id: queryId },
          projectId: query.projectId,
          detail: { folderId },
        });
        return presentQuery((await findQuery(tx, queryId)) ?? query, by.caller, true);
      }),
  };
}
