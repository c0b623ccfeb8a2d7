import type { Tx } from '../../platform/db/index.ts';
import { notPossible } from '../../platform/http/index.ts';

/**
 * Keeps the folder until the transaction ends. One of another project is answered like one that does not exist: a
 * folder's number tells nobody what there is elsewhere.
 *
 * @param member the member of the body that names the folder.
 */
export async function requireFolder(
  tx: Tx,
  projectId: number,
  folderId: number,
  member: string,
): Promise<void> {
  const { rowCount } = await tx.query(
    'select from svc.query_folders where id = $1 and project_id = $2 for share',
    [folderId, projectId],
  );
  if (rowCount === 1) return;
  throw notPossible('folder-not-in-project', 'The project has no such folder. Choose one of its own.', [
    { path: member, message: 'is no folder of this project' },
  ]);
}
