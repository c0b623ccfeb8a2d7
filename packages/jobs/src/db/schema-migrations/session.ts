import type { Executor } from '../../client/executor.ts';

/**
 * Settings of a connection while it migrates. A table that takes an hour to rewrite takes an hour: no limit of the
 * pool, the role or the database may end it.
 */
const migratingSettings: readonly (readonly [name: string, value: string])[] = [
  ['statement_timeout', '0'],
  ['idle_in_transaction_session_timeout', '0'],
  ['idle_session_timeout', '0'],
  // From PostgreSQL 17 on.
  ['transaction_timeout', '0'],
  // Inside transactions waiting for locks is bounded, see `lockTimeout`; outside it holds up nobody.
  ['lock_timeout', '0'],
  // The server ends the statement of a process that was killed, so that the next one does not wait for it.
  ['client_connection_check_interval', '5s'],
];

/** A transaction that waits for a table's lock makes everybody behind it wait too, so it gives up and is tried anew. */
export const lockTimeout = '120s';

/**
 * Runs `work` on a session without time limits and gives the session back as it was.
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

/** @returns the value before; undefined where this server does not have the setting, or not on its platform. */
async function setSetting(client: Executor, name: string, value: string): Promise<string | undefined> {
  try {
    const { rows } = await client.query(
      // One row, read before it is set: the setting is named in both places.
      'with earlier as materialized (select name, setting || coalesce(unit, $3) as value from pg_settings where name = $1) ' +
        'select value, set_config(name, $2, false) from earlier',
      [name, value, ''],
    );
    return (rows[0] as { value: string } | undefined)?.value;
  } catch (error) {
    // 22023: the platform cannot watch connections.
    if ((error as { code?: string }).code === '22023') return undefined;
    throw error;
  }
}

const lockLookIntervalMs = 1_000;

/**
 * Waits for the advisory lock under which processes take turns. It asks again and again instead of waiting inside a
 * statement: a statement that waits holds a snapshot, and `create index concurrently` would wait for that in turn.
 *
 * @param onWait called about once a second while somebody else holds the lock.
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
      // A connection that is lost has let go of the lock.
      .catch(() => undefined);
  }
}
