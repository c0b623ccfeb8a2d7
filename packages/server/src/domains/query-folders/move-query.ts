import type { Query } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import {
  addQueryChange,
  findQuery,
  lockQueryRow,
  presentQuery,
  requireFolder,
  writableQuery,
} from '../queries/index.ts';
import { lockTree, setFolderOfQuery } from './store.ts';
import type { FolderChangeDeps } from './tree.ts';

/** Creates the move of a query. It adds no version: the folder is not part of the definition. */
export const createMoveQuery =
  ({ rights, audit }: FolderChangeDeps) =>
  async (tx: Tx, by: CallerActor, queryId: number, folderId: number | null): Promise<Query> => {
    const stored = await findQuery(tx, queryId);
    if (!stored) throw notFound();
    // Lock order: the tree, then the query. Deleting a folder uses the same order.
    await lockTree(tx, stored.projectId);
    await lockQueryRow(tx, queryId);
    const query = await writableQuery(rights, tx, by.caller, queryId);
    if (folderId === query.folderId) return presentQuery(query, by.caller, true);
    if (folderId !== null) await requireFolder(tx, query.projectId, folderId, '/folderId');
    await setFolderOfQuery(tx, queryId, folderId);
    await addQueryChange(tx, queryId, 'Moved', by.caller.userId);
    await audit.record(tx, {
      by,
      event: 'queries.query_moved',
      subject: { kind: 'query', id: queryId },
      projectId: query.projectId,
      detail: { folderId },
    });
    return presentQuery((await findQuery(tx, queryId)) ?? query, by.caller, true);
  };
