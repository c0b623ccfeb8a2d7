import { createDatabase, type Database, openPool } from '../platform/db/index.ts';
import type { Ground } from './ground.ts';

/** Sessions of the metadata database that serve one purpose, apart from those that serve requests and jobs. */
export type OwnSessions = { readonly database: Database; readonly close: () => Promise<void> };

type Surroundings = Pick<Ground, 'connection' | 'log'>;

type Bounds = {
  readonly applicationName: string;
  readonly max: number;
  /** Time after which the server ends a statement. */
  readonly statementTimeoutMs: number;
  /** Interval at which another session asks the server whether it still executes a statement. Default: no check. */
  readonly checkEveryMs?: number;
};

/** Time that the server has to answer that it ended a statement; then the session is destroyed. */
const answerMarginMs = 2_000;

function openSessions(
  { connection, log }: Surroundings,
  { statementTimeoutMs, ...bounds }: Bounds,
): OwnSessions {
  const { applicationName } = bounds;
  const pool = openPool({
    ...{ connection, statementTimeoutMs, ...bounds },
    answerTimeoutMs: statementTimeoutMs + answerMarginMs,
    onLost: (error) =>
      log.warn({ err: error, applicationName }, 'a connection to the metadata database was lost'),
  });
  return { database: createDatabase(pool), close: () => pool.end() };
}

/**
 * Sessions of the watchdogs. They share none with the requests and jobs that they watch. A transaction holds one while a
 * read uses the other.
 */
export const openWatchdogSessions = (ground: Surroundings): OwnSessions =>
  openSessions(ground, { applicationName: 'svc watchdog', max: 2, statementTimeoutMs: 8_000 });

/** Deadline of one statement that removes a month, or moves rows into one. */
const retentionStatementMs = 3_600_000;

/** Sessions of retention, whose statements are long by design. */
export const openRetentionSessions = (ground: Surroundings): OwnSessions =>
  openSessions(ground, {
    ...{ applicationName: 'svc retention', max: 2 },
    ...{ statementTimeoutMs: retentionStatementMs, checkEveryMs: 20_000 },
  });
