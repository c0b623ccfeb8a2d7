import type { Executor, Tx } from '../../platform/db/index.ts';
import type { Document } from './types.ts';

/** Source of uploaded documents in lists. An import may have a source of the same name; `is_uploaded` distinguishes them. */
const uploadSource = 'upload';

export type StoredDocument = {
  readonly id: number;
  readonly path: string;
  readonly isUploaded: boolean;
  readonly byteLength: number;
};

/** Returns a live document, locked until the transaction ends. */
export async function lockDocument(
  tx: Tx,
  projectId: number,
  id: number,
): Promise<StoredDocument | undefined> {
  const { rows } = await tx.query<StoredDocument>(
    `select id, path, is_uploaded as "isUploaded", byte_length as "byteLength" from svc.imported_documents
     where project_id = $1 and id = $2 and archived_at is null for update`,
    [projectId, id],
  );
  return rows[0];
}

export async function countUploads(executor: Executor, projectId: number): Promise<number> {
  const { rows } = await executor.query<{ count: number }>(
    'select count(*)::int as count from svc.imported_documents where project_id = $1 and is_uploaded',
    [projectId],
  );
  return rows[0]?.count ?? 0;
}

/** @returns the id; undefined if the project has an uploaded document of this name. */
export async function insertUpload(
  tx: Tx,
  projectId: number,
  userId: number | null,
  { path, title, content, hash, byteLength }: Document,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.imported_documents (project_id, is_uploaded, uploaded_by_user_id, source, path, title, content,
       content_hash, byte_length)
     values ($1, true, $2, $3, $4, $5, $6, $7, $8)
     on conflict (project_id, is_uploaded, source, path) do nothing returning id`,
    [projectId, userId, uploadSource, path, title, content, hash, byteLength],
  );
  return rows[0]?.id;
}

export async function updateUpload(
  tx: Tx,
  id: number,
  userId: number | null,
  { title, content, hash, byteLength }: Document,
): Promise<void> {
  await tx.query(
    `update svc.imported_documents set title = $3, content = $4, content_hash = $5, byte_length = $6,
       uploaded_by_user_id = $2, imported_at = now() where id = $1`,
    [id, userId, title, content, hash, byteLength],
  );
}

/** Deletes an uploaded document instead of archiving it, because the service must not retain a mistaken upload. */
export const deleteUpload = async (tx: Tx, id: number): Promise<void> =>
  void (await tx.query('delete from svc.imported_documents where id = $1', [id]));
