import type { Queryable, Tx } from '../../../platform/db/index.ts';
import type { RecipientRow } from './read.ts';

export type SecretsRow = Pick<
  RecipientRow,
  'id' | 'notificationType' | 'destinationSealed' | 'headersSealed'
>;

export async function saveSecrets(
  tx: Tx,
  id: number,
  sealed: { destinationSealed: string; headersSealed: string | null },
): Promise<void> {
  await tx.query('update svc.recipients set destination_sealed = $2, headers_sealed = $3 where id = $1', [
    id,
    sealed.destinationSealed,
    sealed.headersSealed,
  ]);
}

/** Returns the secrets of a recipient, archived or not, and locks the row until the transaction ends. */
export async function lockSecrets(tx: Tx, id: number): Promise<SecretsRow | undefined> {
  const { rows } = await tx.query<SecretsRow>(
    `select id, notification_type as "notificationType", destination_sealed as "destinationSealed",
       headers_sealed as "headersSealed" from svc.recipients where id = $1 for update`,
    [id],
  );
  return rows[0];
}

/** Counts the recipients that the workflow would block if it were on, and the recipients with unencrypted secrets. */
export async function countUnusual(
  executor: Queryable,
): Promise<{ notApproved: number; notEncrypted: number }> {
  const { rows } = await executor.query<{ notApproved: number; notEncrypted: number }>(
    `select count(*) filter (where state <> 'Approved') as "notApproved",
       count(*) filter (where destination_sealed not like 'v1.%' or headers_sealed not like 'v1.%') as "notEncrypted"
     from svc.recipients where archived_at is null`,
  );
  return rows[0] ?? { notApproved: 0, notEncrypted: 0 };
}

/** Returns the ids of recipients with unencrypted secrets, including archived ones: no plain secret may remain. */
export async function plainRecipientIds(executor: Queryable): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select id from svc.recipients where destination_sealed not like 'v1.%' or headers_sealed not like 'v1.%' order by id`,
  );
  return rows.map(({ id }) => id);
}

/** Returns the ids of live recipients with an approved hash. */
export async function governedRecipientIds(executor: Queryable): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    'select id from svc.recipients where approved_hash is not null and archived_at is null order by id',
  );
  return rows.map(({ id }) => id);
}

/** Replaces an approved hash, unless it changed in the meantime. */
export async function replaceApprovedHash(
  executor: Queryable,
  id: number,
  from: string,
  to: string,
): Promise<void> {
  await executor.query('update svc.recipients set approved_hash = $3 where id = $1 and approved_hash = $2', [
    id,
    from,
    to,
  ]);
}
