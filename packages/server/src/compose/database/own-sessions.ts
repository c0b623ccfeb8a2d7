import { createDatabase, type Database, openPool } from '../../platform/db/index.ts';
import type { Infrastructure } from '../infrastructure.ts';

/** Sessions of the metadata database for one purpose, separate from those of requests and jobs. */
export type OwnSessions = { readonly database: Database; readonly close: () => Promise<void> };

type Surroundings = Pick<Infrastructure, 'connection' | 'log'>;

type Bounds = {
  readonly applicationName: string;
  readonly max: number;
  /** Time after which the server ends a statement. */
  readonly statementTimeoutMs: number;
  /** Interval of the check, by another session, that the server still executes a statement. Default: no check. */
  readonly checkEveryMs?: number;
};

/** Time in which the server must report that it ended a statement. Then the session is destroyed. */
const answerMarginMs = 2_000;

function openSessions(
  { connection, log }: Surroundings,
  { statementTimeoutMs, ...bounds }: Bounds,
): OwnSessions {
  const { applicationName } = bounds;
  const pool = openPool({
    connection,
    statementTimeoutMs,
    ...bounds,
    answerTimeoutMs: statementTimeoutMs + answerMarginMs,
    onLost: (error) =>
      log.warn({ err: error, applicationName }, 'a connection to the metadata database was lost'),
  });
  return { database: createDatabase(pool), close: () => pool.end() };
}

/**
 * Opens the sessions of the watchdogs, separate from those of the requests and jobs that they watch. A transaction
 * uses one while a read uses the other.
 */
export const openWatchdogSessions = (infra: Surroundings): OwnSessions =>
  openSessions(infra, { applicationName: 'svc watchdog', max: 2, statementTimeoutMs: 8_000 });

/** Deadline of one statement that removes a month, or moves rows into one. */
const retentionStatementMs = 3_600_000;

/** Opens the sessions of retention, whose statements are long by design. */
export const openRetentionSessions = (infra: Surroundings): OwnSessions =>
  openSessions(infra, {
    applicationName: 'svc retention',
    max: 2,
    statementTimeoutMs: retentionStatementMs,
    checkEveryMs: 20_000,
  });
