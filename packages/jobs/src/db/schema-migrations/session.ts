import type { Executor } from '../../client/executor.ts';

/**
 * Settings of a connection during a migration. A rewrite of a large table may take an hour: no limit of the pool, the
 * role or the database may end it.
 */
const migratingSettings: readonly (readonly [name: string, value: string])[] = [
  ['statement_timeout', '0'],
  ['idle_in_transaction_session_timeout', '0'],
  ['idle_session_timeout', '0'],
  // PostgreSQL 17 and later.
  ['transaction_timeout', '0'],
  // Inside transactions `lockTimeout` limits the wait for locks. Outside them a wait blocks no other session.
  ['lock_timeout', '0'],
  // The server then ends the statement of a killed process, so the next process does not wait for it.
  ['client_connection_check_interval', '5s'],
];

/**
 * Maximum wait for a table lock inside a transaction. Later statements on the table queue after the waiting one, so it
 * must fail. The caller may then retry the migration.
 */
export const lockTimeout = '120s';

/**
 * Runs `work` on a session without time limits and restores its settings afterwards.
 *
 * @param client a single connection outside any transaction.
 */
export async function withoutTimeLimits<T>(client: Executor, work: () => Promise<T>): Promise<T> {
  const before: [name: string, value: string][] = [];
  for (const [name, value] of migratingSettings) {
    const earlier = await setSetting(client, name, value);
    if (earlier !== undefined) before.push([name, earlier]);
  }
  try {
    return await work();
  } finally {
    for (const [name, value] of before) await setSetting(client, name, value).catch(() => undefined);
  }
}

/** @returns the previous value; undefined where this server or its platform does not support the setting. */
async function setSetting(client: Executor, name: string, value: string): Promise<string | undefined> {
  try {
    const { rows } = await client.query(
      // The setting is read before it is changed: both happen in one row.
      'with earlier as materialized (select name, setting || coalesce(unit, $3) as value from pg_settings where name = $1) ' +
        'select value, set_config(name, $2, false) from earlier',
      [name, value, ''],
    );
    return (rows[0] as { value: string } | undefined)?.value;
  } catch (error) {
    // 22023: the platform cannot check connections.
    if ((error as { code?: string }).code === '22023') return undefined;
    throw error;
  }
}

const lockLookIntervalMs = 1_000;

/**
 * Waits for the advisory lock, then runs `work`. It polls instead of waiting inside a statement. A waiting statement
 * has a snapshot, and `create index concurrently` waits for that snapshot in turn.
 *
 * @param onWait called about once a second while another session has the lock.
 */
export async function withTurn<T>(
  client: Executor,
  lock: { readonly sql: string; readonly values: readonly unknown[] },
  onWait: (waitedMs: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await client.query(`select pg_try_advisory_lock(${lock.sql}) as held`, [...lock.values]);
    if ((rows[0] as { held: boolean }).held) break;
    onWait(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, lockLookIntervalMs));
  }
  try {
    return await work();
  } finally {
    await client
      .query(`select pg_advisory_unlock(${lock.sql})`, [...lock.values])
      // A lost connection has released the lock.
      .catch(() => undefined);
  }
}
