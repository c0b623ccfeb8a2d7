export { isDatabaseAway, isDatabaseFull, timedQuery } from '@svc/jobs';
export {
  createDatabase,
  type Database,
  databaseError,
  type Executor,
  isUniqueViolation,
  type Queryable,
  type RunStatement,
  type SvcTables,
  type Tx,
} from './database.ts';
export { type Migration, migrate, readMigrations, withMigrationConnection } from './migrate.ts';
export { addMonths, dropMonth, type Month, monthsOf } from './months.ts';
export { named } from './named.ts';
export { openPool, type PoolOptions, probePool, timesAsText } from './pool.ts';
export {
  createLateReads,
  type LateReads,
  openReplica,
  type Replica,
  routeReads,
} from './read-replica/index.ts';
export {
  halfRestored,
  isHalfRestored,
  lockRestore,
  markRestore,
  requireNoHalfRestore,
  unmarkRestore,
} from './restore-mark.ts';
export { createRoom, type Room } from './room.ts';
export { type FailedAttempt, whileDatabaseAway } from './while-away.ts';
