import type pg from 'pg';

/** "svc3" as a number: key of the advisory lock of a restore. */
const restoreLockKey = 0x73766333;

const mark = 'svc.restore_under_way';

/** Returns true if a database contains an unfinished restore, running or interrupted. */
export async function isHalfRestored(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ isThere: boolean }>(
    'select to_regclass($1) is not null as "isThere"',
    [mark],
  );
  return rows[0]?.isThere ?? false;
}

/** Message and remedy for such a database. */
export const halfRestored = {
  text: 'A restore into this database was cut off, or still runs.',
  remedy: 'Wait for its end, or run restore again: it begins anew.',
} as const;

/** Prevents the start of a service on an unfinished restore. @throws Error when a restore has begun and not ended. */
export async function requireNoHalfRestore(client: pg.ClientBase): Promise<void> {
  if (await isHalfRestored(client)) throw new Error(`${halfRestored.text} ${halfRestored.remedy}`);
}

/**
 * Takes the restore's lock until the connection ends.
 *
 * @throws Error when another restore has the lock.
 */
export async function lockRestore(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isMine: boolean }>('select pg_try_advisory_lock($1) as "isMine"', [
    restoreLockKey,
  ]);
  if (!rows[0]?.isMine) throw new Error('Another restore into this database is under way.');
}

/** Leaves a mark until `unmarkRestore` commits, even if this process dies. */
export async function markRestore(client: pg.ClientBase): Promise<void> {
  await client.query('create schema if not exists svc');
  await client.query(`create table ${mark} ()`);
}

export const unmarkRestore = (client: pg.ClientBase): Promise<unknown> => client.query(`drop table ${mark}`);
