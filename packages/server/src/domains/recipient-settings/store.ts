import type { NotificationType, NumberFormat, RetryPolicy } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';

/** Delivery settings in the row of a recipient. */
export type SettingsRow = RetryPolicy & {
  readonly id: number;
  readonly notificationType: NotificationType;
  readonly signingSecretsSealed: string | null;
  readonly numbers: NumberFormat;
};

const selected = `select id, notification_type as "notificationType", signing_secrets_sealed as "signingSecretsSealed",
  retries_max as "retriesMax", retry_delay_seconds as "delaySeconds", number_format as "numbers"
  from svc.recipients where id = $1 and archived_at is null`;

/** Returns the settings of a live recipient; undefined when it is missing or archived. */
export async function findSettings(executor: Executor, id: number): Promise<SettingsRow | undefined> {
  const { rows } = await executor.query<SettingsRow>(selected, [id]);
  return rows[0];
}

/** Returns the settings of a live recipient and locks its row until the transaction ends. */
export async function lockSettings(tx: Tx, id: number): Promise<SettingsRow | undefined> {
  const { rows } = await tx.query<SettingsRow>(`${selected} for update`, [id]);
  return rows[0];
}

export async function saveSigningSecrets(tx: Tx, id: number, sealed: string | null): Promise<void> {
  await tx.query('update svc.recipients set signing_secrets_sealed = $2, updated_at = now() where id = $1', [
    id,
    sealed,
  ]);
}

export async function saveRetryPolicy(tx: Tx, id: number, policy: RetryPolicy): Promise<void> {
  await tx.query(
    'update svc.recipients set retries_max = $2, retry_delay_seconds = $3, updated_at = now() where id = $1',
    [id, policy.retriesMax, policy.delaySeconds],
  );
}

export async function saveNumberFormat(tx: Tx, id: number, numbers: NumberFormat): Promise<void> {
  await tx.query('update svc.recipients set number_format = $2, updated_at = now() where id = $1', [
    id,
    numbers,
  ]);
}
