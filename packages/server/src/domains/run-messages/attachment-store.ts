import type { MessageKey, RunKey } from '../../gateways/send/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import type { AttachmentHead } from './attachment.ts';

export type StoredAttachment = AttachmentHead & { readonly rowCount: number; readonly byteCount: number };

const valuesOf = ({ run, messageNo }: MessageKey): unknown[] => [run.id, run.dueAt, messageNo];
const isOfMessage = 'run_id = $1 and run_due_at = $2 and message_no = $3';

/** Inserts an empty row for the file of a message. Deletes the remains of an interrupted attempt. */
export async function beginAttachment(
  executor: Executor,
  key: MessageKey,
  { name, contentType }: AttachmentHead,
): Promise<void> {
  await deleteAttachment(executor, key);
  await executor.query(
    `insert into svc.run_attachments (run_id, run_due_at, message_no, name, content_type, row_count, byte_count)
     values ($1, $2, $3, $4, $5, 0, 0)`,
    [...valuesOf(key), name, contentType],
  );
}

export async function insertPart(
  executor: Executor,
  key: MessageKey,
  part: number,
  dataSealed: string,
): Promise<void> {
  await executor.query({
    name: 'run-attachments-insert-part',
    text: `insert into svc.run_attachment_parts (run_id, run_due_at, message_no, part, data_sealed)
      values ($1, $2, $3, $4, $5)`,
    values: [...valuesOf(key), part, dataSealed],
  });
}

export async function completeAttachment(
  executor: Executor,
  key: MessageKey,
  counts: { readonly rowCount: number; readonly byteCount: number },
): Promise<void> {
  await executor.query(
    `update svc.run_attachments set row_count = $4, byte_count = $5 where ${isOfMessage}`,
    [...valuesOf(key), counts.rowCount, counts.byteCount],
  );
}

export async function findAttachment(
  executor: Executor,
  key: MessageKey,
): Promise<StoredAttachment | undefined> {
  const { rows } = await executor.query<StoredAttachment>(
    `select name, content_type as "contentType", row_count as "rowCount", byte_count as "byteCount"
     from svc.run_attachments where ${isOfMessage}`,
    valuesOf(key),
  );
  return rows[0];
}

/** Returns one part by its number from 0; undefined after the last part. */
export async function readPart(
  executor: Executor,
  key: MessageKey,
  part: number,
): Promise<string | undefined> {
  const { rows } = await executor.query<{ dataSealed: string }>({
    name: 'run-attachments-read-part',
    text: `select data_sealed as "dataSealed" from svc.run_attachment_parts where ${isOfMessage} and part = $4`,
    values: [...valuesOf(key), part],
  });
  return rows[0]?.dataSealed;
}

/** Deletes the file of a message with its parts. */
export async function deleteAttachment(executor: Executor, key: MessageKey): Promise<void> {
  await executor.query(
    `with parts as (delete from svc.run_attachment_parts where ${isOfMessage})
     delete from svc.run_attachments where ${isOfMessage}`,
    valuesOf(key),
  );
}

/** Deletes the files of all messages of a run. */
export async function deleteAttachments(executor: Executor, run: RunKey): Promise<void> {
  await executor.query(
    `with parts as (delete from svc.run_attachment_parts where run_id = $1 and run_due_at = $2)
     delete from svc.run_attachments where run_id = $1 and run_due_at = $2`,
    [run.id, run.dueAt],
  );
}
