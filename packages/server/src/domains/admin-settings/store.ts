import type { Queryable, Tx } from '../../platform/db/index.ts';

/** Reads the stored values by key. A key without a row, or with null, is not set at run time. */
export async function readValues(executor: Queryable): Promise<ReadonlyMap<string, string>> {
  const { rows } = await executor.query<{ key: string; value: unknown }>(
    'select key, value from svc.runtime_settings where value is not null',
  );
  return new Map(
    rows.flatMap(({ key, value }) => (typeof value === 'string' ? [[key, value] as const] : [])),
  );
}

/** Reads one stored value. */
export async function readValue(executor: Queryable, key: string): Promise<string | undefined> {
  const { rows } = await executor.query<{ value: unknown }>({
    name: 'runtime-settings-read',
    text: 'select value from svc.runtime_settings where key = $1',
    values: [key],
  });
  return typeof rows[0]?.value === 'string' ? rows[0].value : undefined;
}

/** Returns a version that increases with each change of one of these keys. */
export async function readVersion(executor: Queryable, keys: readonly string[]): Promise<number> {
  const { rows } = await executor.query<{ version: number }>(
    'select coalesce(sum(version), 0)::int as version from svc.runtime_settings where key = any($1)',
    [keys],
  );
  return rows[0]?.version ?? 0;
}

/** Serialises changes of settings until the transaction ends, so that the history has their order. */
export async function lockSettings(tx: Tx): Promise<void> {
  await tx.query('lock table svc.runtime_settings in share row exclusive mode');
}

export type Change = {
  readonly key: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  readonly userId: number | null;
  readonly hostUser: string | null;
};

/** Writes a value and its history entry. */
export async function writeValue(tx: Tx, change: Change): Promise<void> {
  const asJson = (value: string | null) => (value === null ? null : JSON.stringify(value));
  await tx.query(
    `insert into svc.runtime_settings (key, value, changed_by_user_id) values ($1, $2::jsonb, $3)
     on conflict (key) do update set value = excluded.value, version = svc.runtime_settings.version + 1,
       changed_at = now(), changed_by_user_id = excluded.changed_by_user_id`,
    [change.key, asJson(change.newValue), change.userId],
  );
  await tx.query(
    `insert into svc.runtime_setting_changes (key, old_value, new_value, changed_by_user_id, changed_by_host_user)
     values ($1, $2::jsonb, $3::jsonb, $4, $5)`,
    [change.key, asJson(change.oldValue), asJson(change.newValue), change.userId, change.hostUser],
  );
}

export type HistoryRow = {
  id: number;
  key: string;
  oldValue: unknown;
  newValue: unknown;
  changedAt: Date;
  userName: string | null;
};

/** Lists the last changes, newest first. */
export async function listHistory(executor: Queryable, limit: number): Promise<HistoryRow[]> {
  const { rows } = await executor.query<HistoryRow>(
    `select c.id, c.key, c.old_value as "oldValue", c.new_value as "newValue", c.changed_at as "changedAt",
       coalesce(u.display_name, u.user_name, c.changed_by_host_user) as "userName"
     from svc.runtime_setting_changes c left join svc.users u on u.id = c.changed_by_user_id
     order by c.id desc limit $1`,
    [limit],
  );
  return rows;
}
