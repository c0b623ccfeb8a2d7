import type { QueryFolder } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { presentFolder } from './present.ts';
import { insertFolder, lockTree } from './store.ts';
import { existingFolder, type FolderChangeDeps, recordChange, requireDepth, withUniqueName } from './tree.ts';

export type NewFolder = {
  readonly projectId: number;
  readonly parentId?: number | null;
  readonly name: string;
};

/** Creates the function that creates a folder. */
export const createCreate =
  ({ rights, audit }: FolderChangeDeps) =>
  async (tx: Tx, by: CallerActor, input: NewFolder): Promise<QueryFolder> => {
    const { projectId, parentId = null } = input;
    await lockTree(tx, projectId);
    await rights.require(tx, by.caller, projectId, 'Write');
    await requireDepth(tx, projectId, parentId, 1);
    const { userId } = by.caller;
    const name = input.name.trim();
    const id = await withUniqueName(insertFolder(tx, { projectId, parentId, name, userId }));
    await recordChange(audit, tx, by, 'created', { id, projectId });
    return presentFolder(await existingFolder(tx, id));
  };
