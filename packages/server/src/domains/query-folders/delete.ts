import type { Tx } from '../../platform/db/index.ts';
import { conflict } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { addQueryChange } from '../queries/index.ts';
import { deleteFolder, isEmptyFolder, lockFolder, moveContents } from './store.ts';
import { type FolderChangeDeps, lockForChange, recordChange, withUniqueName } from './tree.ts';

/**
 * Creates the function that deletes a folder, but no query. The contents move to the parent folder if `mayMoveContents`
 * is true. Otherwise the folder must be empty.
 */
export const createDelete =
  ({ rights, audit }: FolderChangeDeps) =>
  async (
    tx: Tx,
    by: CallerActor,
    id: number,
    mayMoveContents: boolean,
    expectedVersion: number | undefined,
  ): Promise<void> => {
    const folder = await lockForChange(rights, tx, by, id, expectedVersion);
    await lockFolder(tx, id);
    if (!mayMoveContents && !(await isEmptyFolder(tx, id)))
      throw conflict('folder-not-empty', 'There are queries or folders in it. Move them out first.');
    const movedQueryIds = await withUniqueName(moveContents(tx, id, folder.parentId));
    for (const queryId of movedQueryIds) await addQueryChange(tx, queryId, 'Moved', by.caller.userId);
    await deleteFolder(tx, id);
    await recordChange(audit, tx, by, 'deleted', folder);
  };
