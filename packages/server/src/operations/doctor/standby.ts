import type pg from 'pg';
import { type Finding, fault, warning, well } from './finding.ts';

const lagSecondsMax = 5;
const setting = 'Svc:Database:ReadConnectionString';

/** Whether the standby that is read from is one of the primary, and keeps up. */
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
    const { rows } = await standby.query<{ identity: string; isStandby: boolean; lagSeconds: number }>(
      `select ${identity}, pg_is_in_recovery() as "isStandby",
        case when pg_last_wal_replay_lsn() >= $1::pg_lsn then 0
          else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0) end::float8 as "lagSeconds"`,
      [here[0]?.position],
    );
    const [found] = rows;
    if (found?.identity !== here[0]?.identity)
      return fault(
        'Read replica',
        'It is another database, and is not read from.',
        `Name a streaming standby of the primary, and the same database, in ${setting}.`,
      );
    if (!found?.isStandby)
      return warning('Read replica', 'It is no standby but the primary itself.', `Unset ${setting}.`);
    return found.lagSeconds <= lagSecondsMax
      ? well('Read replica', `The standby is ${found.lagSeconds.toFixed(1)} s late.`)
      : warning(
          'Read replica',
          `The standby is ${Math.round(found.lagSeconds)} s late: everything is read from the primary.`,
          'Look at its load, its disk, and the network between both.',
        );
  } finally {
    await standby.end();
  }
}
