import type { Tx } from '../../platform/db/index.ts';
import { notPossible } from '../../platform/http/index.ts';

/**
 * Locks the folder until the transaction ends. A folder of another project gets the same response as a missing folder,
 * so that folder ids reveal nothing about other projects.
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
