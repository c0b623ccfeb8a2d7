import type { Config } from '../../platform/config/index.ts';
import {
  createLateReads,
  type Database,
  type LateReads,
  openReplica,
  type Replica,
  routeReads,
} from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';

/** The metadata database, with its optional read replica. */
export type Standby = {
  readonly database: Database;
  /** Undefined if the settings name no standby, like `replica`. */
  readonly lateReads: LateReads | undefined;
  readonly replica: Replica | undefined;
};

/** Opens the configured standby for late reads of the metadata database. */
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
