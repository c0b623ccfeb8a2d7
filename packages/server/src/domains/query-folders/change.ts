import type { QueryFolder } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import { brokenRule } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { presentFolder } from './present.ts';
import { foldersBelow, updateFolder } from './store.ts';
import {
  existingFolder,
  type FolderChangeDeps,
  lockForChange,
  recordChange,
  requireDepth,
  withUniqueName,
} from './tree.ts';

/** Creates the function that renames or moves a folder. */
export const createChange =
  ({ rights, audit }: FolderChangeDeps) =>
  async (
    tx: Tx,
    by: CallerActor,
    id: number,
    change: { readonly parentId?: number | null; readonly name?: string },
    expectedVersion: number | undefined,
  ): Promise<QueryFolder> => {
    const before = await lockForChange(rights, tx, by, id, expectedVersion);
    const name = change.name?.trim() ?? before.name;
    const { parentId = before.parentId } = change;
    if (name === before.name && parentId === before.parentId) return presentFolder(before);
    if (parentId !== before.parentId) {
      const below = await foldersBelow(tx, id);
      if (below.some((folder) => folder.id === parentId))
        throw brokenRule('folder-below-itself', 'A folder cannot stand in itself or below itself.', [
          { path: '/parentId', message: 'is this folder, or below it' },
        ]);
      const height = Math.max(...below.map((folder) => folder.steps));
      await requireDepth(tx, before.projectId, parentId, height + 1);
    }
    await withUniqueName(updateFolder(tx, id, { name, parentId }));
    await recordChange(audit, tx, by, 'changed', before);
    return presentFolder(await existingFolder(tx, id));
  };
