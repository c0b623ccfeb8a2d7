import type { Config } from '../platform/config/index.ts';
import {
  createLateReads,
  type Database,
  type LateReads,
  openReplica,
  type Replica,
  routeReads,
} from '../platform/db/index.ts';
import type { Logger } from '../platform/log/index.ts';

/** The metadata database, and the standby that it is read from where there is one. */
export type Standby = {
  readonly database: Database;
  /** Undefined where the settings name no standby, as is `replica`. */
  readonly lateReads: LateReads | undefined;
  readonly replica: Replica | undefined;
};

/** Puts the standby that the settings name behind the metadata database. */
export function openStandby(config: Config, primary: Database, log: Logger): Standby {
  const connectionString = config['Svc:Database:ReadConnectionString'];
  if (connectionString === undefined) return { database: primary, lateReads: undefined, replica: undefined };
  const max = config['Svc:Database:PoolSize'];
  const replica = openReplica({ primary: primary.pool, connection: { connectionString }, max, log });
  return {
    database: routeReads(primary),
    lateReads: createLateReads({ primary, replica, log }),
    replica,
  };
}
