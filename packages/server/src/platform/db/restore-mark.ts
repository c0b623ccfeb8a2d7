import type pg from 'pg';

/** "svc3" as a number: the advisory lock under which a backup is brought in. */
const restoreLockKey = 0x73766333;

const mark = 'svc.restore_under_way';

/** Whether a database holds what a restore has begun and not ended: one that runs, or one that was cut off. */
export async function isHalfRestored(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ isThere: boolean }>(
    'select to_regclass($1) is not null as "isThere"',
    [mark],
  );
  return rows[0]?.isThere ?? false;
}

/** What is said of such a database, and what to do. */
export const halfRestored = {
  text: 'A restore into this database was cut off, or still runs.',
  remedy: 'Wait for its end, or run restore again: it begins anew.',
} as const;

/** @throws Error when a restore has begun and not ended: a service must not start on it. */
export async function requireNoHalfRestore(client: pg.ClientBase): Promise<void> {
  if (await isHalfRestored(client)) throw new Error(`${halfRestored.text} ${halfRestored.remedy}`);
}

/**
 * Takes the restore's lock until the connection ends.
 *
 * @throws Error when another restore has it.
 */
export async function lockRestore(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isMine: boolean }>('select pg_try_advisory_lock($1) as "isMine"', [
    restoreLockKey,
  ]);
  if (!rows[0]?.isMine) throw new Error('Another restore into this database is under way.');
}

/** Leaves a mark that lasts until `unmarkRestore` is committed, whatever becomes of this process. */
export async function markRestore(client: pg.ClientBase): Promise<void> {
  await client.query('create schema if not exists svc');
  await client.query(`create table ${mark} ()`);
}

export const unmarkRestore = (client: pg.ClientBase): Promise<unknown> => client.query(`drop table ${mark}`);
