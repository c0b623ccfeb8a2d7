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
 * Moves queries of one project into one of its folders, or out of all: each of them, or none. Those that stand there
 * already stay as they are. No version is made of any.
 *
 * @returns how many were moved.
 */
export const moveQueriesWith =
  ({ database, rights, audit }: MoveDeps) =>
  (by: CallerActor, queryIds: readonly number[], folderId: number | null): Promise<{ movedCount: number }> =>
    database.transaction(async (tx) => {
      const ids = [...new Set(queryIds)];
      const found = await findPlaces(tx, ids);
      const projectIds = [...new Set(found.map(({ projectId }) => projectId))];
      // What cannot be read does not exist, whatever else is wrong.
      for (const projectId of projectIds) await rights.require(tx, by.caller, projectId, 'Read');
      const [projectId, ...others] = projectIds;
      if (projectId === undefined || found.length < ids.length) throw notFound();
      if (others.length > 0)
        throw notPossible('queries-of-several-projects', 'The queries belong to several projects.', [
          { path: '/queryIds', message: 'are of several projects' },
        ]);
      // The tree first, then the queries: deleting a folder takes both in this order.
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
          ...{ by, event: 'queries.query_moved', subject: { kind: 'query', id }, projectId },
          detail: { folderId },
        });
      }
      return { movedCount: moving.length };
    });
