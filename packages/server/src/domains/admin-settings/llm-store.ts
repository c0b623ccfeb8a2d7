import type { Queryable, Tx } from '../../platform/db/index.ts';
import { llmConnectionKey } from './llm-connection.ts';
import type { Change } from './store.ts';

/** Reads the raw row of the connection. Undefined if none is set at run time. */
export async function readConnection(
  executor: Queryable,
): Promise<{ readonly value: unknown; readonly sealed: string | null } | undefined> {
  const { rows } = await executor.query<{ value: unknown; sealed: string | null }>({
    name: 'runtime-settings-llm',
    text: 'select value, value_sealed as sealed from svc.runtime_settings where key = $1 and value is not null',
    values: [llmConnectionKey],
  });
  return rows[0];
}

/** Reads the raw row of the limits. Undefined if none are set at run time. */
export async function readLimits(executor: Queryable, key: string): Promise<unknown> {
  const { rows } = await executor.query<{ value: unknown }>({
    name: 'runtime-settings-llm-limits',
    text: 'select value from svc.runtime_settings where key = $1 and value is not null',
    values: [key],
  });
  return rows[0]?.value;
}

/** Writes limits and a history entry with the differences. */
export const writeLimits = (tx: Tx, change: Change & { readonly value: object | null }): Promise<void> =>
  writeConnection(tx, { ...change, sealed: null });

/** Writes a connection and a history entry with a summary. */
export async function writeConnection(
  tx: Tx,
  change: Change & { readonly value: object | null; readonly sealed: string | null },
): Promise<void> {
  const asJson = (value: unknown) => (value === null ? null : JSON.stringify(value));
  await tx.query(
    `insert into svc.runtime_settings (key, value, value_sealed, changed_by_user_id) values ($1, $2::jsonb, $3, $4)
     on conflict (key) do update set value = excluded.value, value_sealed = excluded.value_sealed,
       version = svc.runtime_settings.version + 1, changed_at = now(), changed_by_user_id = excluded.changed_by_user_id`,
    [change.key, asJson(change.value), change.sealed, change.userId],
  );
  await tx.query(
    `insert into svc.runtime_setting_changes (key, old_value, new_value, changed_by_user_id, changed_by_host_user)
     values ($1, $2::jsonb, $3::jsonb, $4, $5)`,
    [change.key, asJson(change.oldValue), asJson(change.newValue), change.userId, change.hostUser],
  );
}
