import { isDatabaseAway } from '@svc/jobs';
import type pg from 'pg';
import type { Logger } from '../../log/index.ts';
import { createDatabase, type Database } from '../database.ts';
import { openPool } from '../pool.ts';
import { createPosition, parsePosition } from './position.ts';

/** A standby of the metadata database that serves reads while its lag is small. */
export type Replica = {
  readonly database: Database;
  /** Lag in milliseconds; undefined while the replica is unavailable or its lag is unknown. */
  readonly lagMs: () => number | undefined;
  /** Notes a failed read. An unavailable server gets no further reads until a check succeeds. */
  readonly noteFailure: (error: unknown) => void;
  /** Checks both servers once. */
  readonly look: () => Promise<void>;
  /** Starts to check both servers once a second. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
};

const lookEveryMs = 1_000;
const lookTimeoutMs = 2_000;
/** Maximum wait of a request for a connection of the replica. After it, the primary answers. */
const waitTimeoutMs = 2_000;
/**
 * The primary answers after a failure of the replica, so both deadlines together must stay below the time limit of
 * a request.
 */
const answerTimeoutMs = 5_000;

type Seen = { readonly isStandby: boolean; readonly replayed: string | null; readonly identity: string };
const identity = `(select system_identifier::text from pg_control_system()) || ' ' || current_database() as identity`;

/** Opens pools for the replica. Connects on first use. */
export function openReplica(deps: {
  readonly primary: pg.Pool;
  readonly connection: pg.ClientConfig;
  readonly max: number;
  readonly log: Logger;
}): Replica {
  const { primary, connection, log } = deps;
  const pool = openPool({
    connection,
    max: deps.max,
    waitTimeoutMs,
    answerTimeoutMs,
    applicationName: 'svc late reads',
  });
  // A pool separate from the reads: a busy pool does not look like an unavailable replica.
  const looking = openPool({
    connection,
    max: 1,
    waitTimeoutMs: lookTimeoutMs,
    answerTimeoutMs: lookTimeoutMs,
    applicationName: 'svc replica lag',
  });
  let position = createPosition();
  let isAway = true;
  let lastMessage = '';
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Logs a message once, until another message is due. */
  const tell = (message: string, details: object = {}): void => {
    if (message !== lastMessage) log.warn(details, message);
    lastMessage = message;
  };

  const lookOnce = async (): Promise<void> => {
    const askedAt = performance.now();
    const { rows: written } = await primary.query<{ position: string; identity: string }>(
      `select pg_current_wal_lsn()::text as position, ${identity}`,
    );
    const { rows: seen } = await looking.query<Seen>(
      `select pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn()::text as replayed, ${identity}`,
    );
    const [here] = written;
    const [there] = seen;
    if (!here || !there || isClosed) return;
    if (here.identity !== there.identity) {
      isAway = true;
      return tell('Svc:Database:ReadConnectionString leads to another database: it is not read from');
    }
    position.noteWritten(askedAt, parsePosition(here.position));
    // A promoted replica is the primary that it is compared with.
    position.noteReplayed(parsePosition(there.isStandby ? (there.replayed ?? '0/0') : here.position));
    if (isAway && lastMessage !== '') log.info({}, 'the read replica is read from again');
    lastMessage = '';
    isAway = false;
  };

  const look = (): Promise<void> =>
    lookOnce().catch((error: unknown) => {
      isAway = true;
      position = createPosition();
      tell('the read replica is away: everything is read from the primary', { err: error });
    });

  const goOn = async (): Promise<void> => {
    await look();
    if (!isClosed) timer = setTimeout(() => void goOn(), lookEveryMs).unref();
  };

  return {
    database: createDatabase(pool),
    lagMs: () => {
      const asOf = position.isAsOf();
      return isAway || asOf === undefined ? undefined : performance.now() - asOf;
    },
    noteFailure: (error) => {
      if (!isDatabaseAway(error)) return;
      isAway = true;
      tell('the read replica is away: everything is read from the primary', { err: error });
    },
    look,
    start: () => void goOn(),
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all([pool.end(), looking.end()]);
    },
  };
}
