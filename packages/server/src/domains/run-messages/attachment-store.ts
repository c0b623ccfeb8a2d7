import type { Executor } from '../../platform/db/index.ts';
import type { AttachmentHead } from './attachment.ts';

export type StoredAttachment = AttachmentHead & { readonly rowCount: number; readonly byteCount: number };

/** Makes the row of a run's file, empty; what an interrupted attempt left behind goes. */
export async function beginAttachment(
  executor: Executor,
  runId: number,
  { name, contentType }: AttachmentHead,
): Promise<void> {
  await deleteAttachment(executor, runId);
  await executor.query(
    'insert into svc.run_attachments (run_id, name, content_type, row_count, byte_count) values ($1, $2, $3, 0, 0)',
    [runId, name, contentType],
  );
}

export async function insertPart(
  executor: Executor,
  runId: number,
  part: number,
  dataSealed: string,
): Promise<void> {
  await executor.query({
    name: 'run-attachments-insert-part',
    text: 'insert into svc.run_attachment_parts (run_id, part, data_sealed) values ($1, $2, $3)',
    values: [runId, part, dataSealed],
  });
}

export async function completeAttachment(
  executor: Executor,
  runId: number,
  counts: { readonly rowCount: number; readonly byteCount: number },
): Promise<void> {
  await executor.query('update svc.run_attachments set row_count = $2, byte_count = $3 where run_id = $1', [
    runId,
    counts.rowCount,
    counts.byteCount,
  ]);
}

export async function findAttachment(
  executor: Executor,
  runId: number,
): Promise<StoredAttachment | undefined> {
  const { rows } = await executor.query<StoredAttachment>(
    `select name, content_type as "contentType", row_count as "rowCount", byte_count as "byteCount"
     from svc.run_attachments where run_id = $1`,
    [runId],
  );
  return rows[0];
}

/** One part, by its number from 0; undefined behind the last. */
export async function readPart(executor: Executor, runId: number, part: number): Promise<string | undefined> {
  const { rows } = await executor.query<{ dataSealed: string }>({
    name: 'run-attachments-read-part',
    text: 'select data_sealed as "dataSealed" from svc.run_attachment_parts where run_id = $1 and part = $2',
    values: [runId, part],
  });
  return rows[0]?.dataSealed;
}

export async function deleteAttachment(executor: Executor, runId: number): Promise<void> {
  await executor.query('delete from svc.run_attachments where run_id = $1', [runId]);
}
