import type { Database } from '../../platform/db/index.ts';
import { notFound, notPossible } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { addQueryChange, requireFolder } from '../queries/index.ts';
import { findPlaces, lockPlaces, lockTree, setFolderOfQueries } from './store.ts';

export type MoveDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
};

/**
 * Moves queries of one project into one of its folders, or out of all folders. Moves all of them or none. Queries that
 * are in the folder already do not change. Creates no versions.
 *
 * @returns the number of moved queries.
 */
export const moveQueriesWith =
  ({ database, rights, audit }: MoveDeps) =>
  (by: CallerActor, queryIds: readonly number[], folderId: number | null): Promise<{ movedCount: number }> =>
    database.transaction(async (tx) => {
      const ids = [...new Set(queryIds)];
      const queryPlaces = await findPlaces(tx, ids);
      const projectIds = [...new Set(queryPlaces.map(({ projectId }) => projectId))];
      // Unreadable queries must get 404 before any other error.
      for (const projectId of projectIds) await rights.require(tx, by.caller, projectId, 'Read');
      const [projectId, ...others] = projectIds;
      if (projectId === undefined || queryPlaces.length < ids.length) throw notFound();
      if (others.length > 0)
        throw notPossible('queries-of-several-projects', 'The queries belong to several projects.', [
          { path: '/queryIds', message: 'are of several projects' },
        ]);
      // Lock order: the tree, then the queries. Deleting a folder uses the same order.
      await lockTree(tx, projectId);
      await rights.require(tx, by.caller, projectId, 'Write');
      if (folderId !== null) await requireFolder(tx, projectId, folderId, '/folderId');
      const places = await lockPlaces(tx, projectId, ids);
      if (places.length < ids.length) throw notFound();
      const moving = places.filter((place) => place.folderId !== folderId).map(({ id }) => id);
      await setFolderOfQueries(tx, moving, folderId);
      for (const id of moving) {
        await addQueryChange(tx, id, 'Moved', by.caller.userId);
        await audit.record(tx, {
          by,
          event: 'queries.query_moved',
          subject: { kind: 'query', id },
          projectId,
          detail: { folderId },
        });
      }
      return { movedCount: moving.length };
    });
