import { folderDepthMax } from '@svc/contract';
import { type Executor, isUniqueViolation, type Tx } from '../../platform/db/index.ts';
import { brokenRule, conflict, notFound } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertVersion, type ProjectRights } from '../projects/index.ts';
import { requireFolder } from '../queries/index.ts';
import * as store from './store.ts';

export type FolderChangeDeps = { readonly rights: ProjectRights; readonly audit: Audit };

/** Returns a folder without a check of rights. Throws 404 when it does not exist. */
export const existingFolder = async (executor: Executor, id: number): Promise<store.FolderRow> => {
  const folder = await store.findFolder(executor, id);
  if (!folder) throw notFound();
  return folder;
};

/** Awaits a change. Throws 409 where another folder in the same place has the name. */
export const withUniqueName = async <T>(change: Promise<T>): Promise<T> =>
  change.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'query_folders_name')) throw error;
    throw conflict('folder-exists', 'A folder in the same place has this name. Choose another one.', [
      { path: '/name', message: 'is taken in this place' },
    ]);
  });

/**
 * Refuses a parent below which the tree would be too deep.
 *
 * @param levels  Number of nested folders that the parent will contain.
 */
export async function requireDepth(
  tx: Tx,
  projectId: number,
  parentId: number | null,
  levels: number,
): Promise<void> {
  if (parentId === null) return;
  await requireFolder(tx, projectId, parentId, '/parentId');
  const { names } = await existingFolder(tx, parentId);
  if (names.length + levels > folderDepthMax)
    throw brokenRule('folders-too-deep', `At most ${folderDepthMax} folders stand in each other.`, [
      { path: '/parentId', message: 'is too deep' },
    ]);
}

/** Locks the tree of a folder, checks the right and returns the current folder. */
export async function lockForChange(
  rights: ProjectRights,
  tx: Tx,
  { caller }: CallerActor,
  id: number,
  expectedVersion: number | undefined,
): Promise<store.FolderRow> {
  const { projectId } = await existingFolder(tx, id);
  await store.lockTree(tx, projectId);
  await rights.require(tx, caller, projectId, 'Write');
  const folder = await existingFolder(tx, id);
  assertVersion(folder.version, expectedVersion);
  return folder;
}

/** Records a change of a folder in the audit. */
export const recordChange = (
  audit: Audit,
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
