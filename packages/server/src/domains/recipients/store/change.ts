import type { NotificationType, RecipientState } from '@svc/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/index.ts';

export type RecipientFields = {
  name: string;
  description: string | null;
  notificationType: NotificationType;
  bodyTemplate: string | null;
  headerNames: readonly string[];
};

/** Inserts the row without secrets. The caller adds them afterwards, because they are sealed to the row id. */
export async function insertRecipient(
  tx: Tx,
  fields: RecipientFields,
  userId: number | null,
): Promise<number> {
  const { id } = await tx.kysely
    .insertInto('svc.recipients')
    .values({
      name: fields.name,
      description: fields.description,
      notification_type: fields.notificationType,
      body_template: fields.bodyTemplate,
      header_names: [...fields.headerNames],
      destination_sealed: '',
      created_by_user_id: userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateRecipient(tx: Tx, id: number, fields: RecipientFields): Promise<void> {
  await tx.kysely
    .updateTable('svc.recipients')
    .set({
      name: fields.name,
      description: fields.description,
      notification_type: fields.notificationType,
      body_template: fields.bodyTemplate,
      header_names: [...fields.headerNames],
      updated_at: sql<Date>`now()`,
      version: sql<number>`version + 1`,
    })
    .where('id', '=', id)
    .execute();
}

export async function archiveRecipient(tx: Tx, id: number): Promise<void> {
  await tx.query(
    'update svc.recipients set archived_at = now(), updated_at = now(), version = version + 1 where id = $1',
    [id],
  );
}

/** Writes the approval state of a recipient. */
export async function setApproval(
  tx: Tx,
  id: number,
  approval: { state: RecipientState; approvedHash: string | null; approvedSealed: string | null },
): Promise<void> {
  await tx.query(
    'update svc.recipients set state = $2, approved_hash = $3, approved_sealed = $4, updated_at = now() where id = $1',
    [id, approval.state, approval.approvedHash, approval.approvedSealed],
  );
}

/** Restores type and header names of an earlier definition. Deletes a body template of another type. */
export async function restoreDefinition(
  tx: Tx,
  id: number,
  definition: { notificationType: NotificationType; headerNames: readonly string[] },
): Promise<void> {
  await tx.query(
    `update svc.recipients set notification_type = $2, header_names = $3, updated_at = now(), version = version + 1,
       body_template = case when notification_type = $2 then body_template end
     where id = $1`,
    [id, definition.notificationType, definition.headerNames],
  );
}
