import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type Finding, fault, warning, well } from './finding.ts';

/** Maximum lag of a usable standby. */
const lagMsMax = 5_000;
const lookAgainMs = 100;
const setting = 'Svc:Database:ReadConnectionString';

/** Checks that the standby belongs to the primary, and that its lag is small. */
export async function lookAtStandby(
  primary: pg.ClientBase,
  open: () => Promise<pg.Client>,
): Promise<Finding> {
  const identity = `(select system_identifier::text from pg_control_system()) || ' ' || current_database() as identity`;
  let standby: pg.Client;
  try {
    standby = await open();
  } catch (error) {
    const remedy = `Look at ${setting} and at the standby. Until then everything is read from the primary.`;
    return warning('Read replica', `No connection: ${(error as Error).message}.`, remedy);
  }
  try {
    const { rows: here } = await primary.query<{ identity: string; position: string }>(
      `select ${identity}, pg_current_wal_lsn()::text as position`,
    );
    const { rows } = await standby.query<{ identity: string; isStandby: boolean }>(
      `select ${identity}, pg_is_in_recovery() as "isStandby"`,
    );
    const [replica] = rows;
    if (replica?.identity !== here[0]?.identity)
      return fault(
        'Read replica',
        'It is another database, and is not read from.',
        `Name a streaming standby of the primary, and the same database, in ${setting}.`,
      );
    if (!replica?.isStandby)
      return warning('Read replica', 'It is no standby but the primary itself.', `Unset ${setting}.`);
    const lagMs = await timeToReach(standby, here[0]?.position ?? '0/0');
    return lagMs !== undefined
      ? well('Read replica', `The standby is at most ${(lagMs / 1_000).toFixed(1)} s late.`)
      : warning(
          'Read replica',
          `The standby is more than ${lagMsMax / 1_000} s late: everything is read from the primary.`,
          'Look at its load, its disk, and the network between both.',
        );
  } finally {
    await standby.end();
  }
}

/** Returns the time until the standby reaches the primary's position; undefined if it takes too long. */
async function timeToReach(standby: pg.ClientBase, position: string): Promise<number | undefined> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await standby.query<{ isThere: boolean }>(
      'select pg_last_wal_replay_lsn() >= $1::pg_lsn as "isThere"',
      [position],
    );
    const elapsedMs = performance.now() - startedAt;
    if (rows[0]?.isThere) return elapsedMs;
    if (elapsedMs > lagMsMax) return undefined;
    await delay(lookAgainMs);
  }
}
