import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { createConnectors, type Dial } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import { hasMariaDb, startMariaDb } from '@svc/testkit/database/mariadb.ts';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openMariaDbSession } from '../../../../connectors/src/testing/mariadb-session.ts';
import type { DataSourceTarget } from '../run-sql/index.ts';
import { CopyRefusal, type CopyRequest, createCopyData, UnsettledCopy } from './index.ts';
import { createHooks, createRequests } from './testing.ts';

/** Kills at random messages, per kind of copy. */
const randomKills = 12;
/**
 * The last messages of a copy apply its rows, commit, and drop its staging tables. The test kills the copy at each of
 * them.
 */
const lastMessages = 12;
const takesMax = 40;
const sourceRows = 1_500;

/** A destination database, with direct access that does not use the gateway. */
type Place = {
  readonly source: DataSourceTarget;
  readonly destination: DataSourceTarget;
  readonly dial: Dial;
  /** Runs statements at the destination. */
  readonly run: (sql: string) => Promise<void>;
  /** Returns the first column, as texts. */
  readonly texts: (sql: string) => Promise<string[]>;
  /** Ends the sessions that copies have at the source or at the destination. */
  readonly endSessions: (side: 'source' | 'destination') => Promise<void>;
  readonly leftovers: () => Promise<string[]>;
  readonly close: () => Promise<void>;
};

const variants = ['Insert', 'Insert-Skip', 'Upsert', 'Truncate', 'Sync', 'New'] as const;
type Variant = (typeof variants)[number];
type Victim = 'process' | 'source' | 'destination';
const victims: readonly Victim[] = ['process', 'source', 'destination'];

/** Victim of a kill, the message at which it is killed, and whether that message is still sent. */
type Kill = { readonly victim: Victim; readonly at: number; readonly isSent: boolean };

/** Ids at the destination before and after each copy. The table has no key, so that duplicate rows are visible. */
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const before: Readonly<Record<Variant, readonly number[]>> = {
  Insert: ids(5_001, 5_050),
  'Insert-Skip': ids(5_001, 5_050),
  Upsert: [...ids(1, 50), ...ids(5_001, 5_050)],
  Truncate: ids(5_001, 5_050),
  Sync: [...ids(1, 50), ...ids(5_001, 5_050)],
  New: [],
};
const after: Readonly<Record<Variant, readonly number[]>> = {
  Insert: [...ids(1, sourceRows), ...ids(5_001, 5_050)],
  'Insert-Skip': [...ids(1, sourceRows), ...ids(5_001, 5_050)],
  Upsert: [...ids(1, sourceRows), ...ids(5_001, 5_050)],
  Truncate: ids(1, sourceRows),
  Sync: ids(1, sourceRows),
  New: ids(1, sourceRows),
};

const isKeyed = (variant: Variant): boolean => variant === 'Upsert' || variant === 'Sync';

function changeOf(variant: Variant): Partial<CopyRequest> {
  return {
    mode: variant === 'New' || variant === 'Insert-Skip' ? 'Insert' : variant,
    createsTable: variant === 'New',
    onRejectedRow: variant === 'Insert-Skip' ? 'Skip' : 'Fail',
    keyColumns: isKeyed(variant) ? ['id'] : [],
    deletedShareMax: 1,
    minimumSourceRows: 1,
  };
}

async function prepare(place: Place, variant: Variant): Promise<void> {
  await place.run('drop table if exists dst.t');
  if (variant === 'New') return;
  await place.run(`create table dst.t (id int ${isKeyed(variant) ? 'primary key' : ''}, name varchar(40))`);
  await place.run(`insert into dst.t values ${before[variant].map((id) => `(${id}, 'old')`).join(',')}`);
}

/** Returns the state of the destination: `before`, `after`, or a description of any other state. */
async function stateOf(place: Place, variant: Variant): Promise<'before' | 'after' | string> {
  const [tableCount] = await place.texts(
    `select count(*) from information_schema.tables where table_schema = 'dst' and table_name = 't'`,
  );
  if (tableCount === '0') return 'before';
  const stand = await place.texts('select id from dst.t order by id');
  const isSame = (expectedIds: readonly number[]) =>
    stand.length === expectedIds.length && expectedIds.every((id, at) => String(id) === stand[at]);
  if (isSame(after[variant])) return 'after';
  return variant !== 'New' && isSame(before[variant]) ? 'before' : `${stand.length} rows`;
}

type Process = {
  readonly copy: (request: CopyRequest, onCommitting: () => void, onCommitted: () => void) => Promise<void>;
  /** Number of sent messages. */
  readonly sent: () => number;
  readonly close: () => Promise<void>;
};

/**
 * Starts a process that copies. After `at` messages its connections are cut and it gets no new ones. Like a killed
 * process, it reaches no database afterwards.
 */
function startProcess(
  place: Place,
  { at, isSent }: Pick<Kill, 'at' | 'isSent'>,
  onDeath: (() => Promise<void>) | undefined,
): Process {
  const sockets = new Set<Socket>();
  let sent = 0;
  let isDead = false;
  const die = () => {
    if (onDeath) return void onDeath();
    isDead = true;
    for (const socket of sockets) socket.destroy();
  };
  const dial: Dial = async (target, options) => {
    if (isDead) throw new Error('The process is gone.');
    const socket = await place.dial(target, options);
    sockets.add(socket);
    const { write } = socket;
    Reflect.set(socket, 'write', (...message: unknown[]) => {
      sent += 1;
      const isDue = sent === at;
      if (isDue && !isSent) die();
      const isTaken: unknown = Reflect.apply(write, socket, message);
      if (isDue && isSent) setImmediate(die);
      return isTaken;
    });
    return socket;
  };
  const connectors = createConnectors();
  const gateway = createCopyData({ connectors, dial, ownDatabases: [] });
  return {
    sent: () => sent,
    close: connectors.close,
    copy: async (request, onCommitting, onCommitted) => {
      const { hooks } = createHooks({
        onCommitting: async () => {
          // A killed process records nothing either.
          if (isDead) throw new Error('The process is gone.');
          onCommitting();
        },
        onCommitted: async () => {
          if (isDead) throw new Error('The process is gone.');
          onCommitted();
        },
      });
      await gateway.run(request, hooks);
    },
  };
}

/** For a process that is not killed. */
const never = { at: -1, isSent: true };

/** Runs one copy that is killed once, and retries it until it completes. */
async function killOnce(
  place: Place,
  request: (change: Partial<CopyRequest>) => CopyRequest,
  how: Kill & { readonly variant: Variant },
): Promise<{ readonly states: readonly string[]; readonly names: readonly string[]; readonly sent: number }> {
  const { variant, victim } = how;
  await prepare(place, variant);
  const names: string[] = [];
  const states: string[] = [];
  let [isCommitting, isCommitted] = [false, false];
  let sent = 0;
  for (let take = 0; take < takesMax && !isCommitted; take++) {
    const copyRequest = request({
      ...changeOf(variant),
      earlierStagingNames: [...names],
      mayHaveCommitted: isCommitting,
    });
    names.push(copyRequest.stagingName);
    const isFirst = take === 0;
    const process = startProcess(
      place,
      isFirst ? how : never,
      victim === 'process' ? undefined : () => place.endSessions(victim),
    );
    try {
      await process.copy(
        copyRequest,
        () => {
          isCommitting = true;
        },
        () => {
          isCommitted = true;
        },
      );
    } catch (error) {
      const isDead = isFirst && victim === 'process';
      if (error instanceof CopyRefusal && !isDead) {
        // A reported failure means that nothing was written. The next start is a new copy.
        expect([error.reason, await stateOf(place, variant)]).toEqual([error.reason, 'before']);
        isCommitting = false;
      } else if (!(isDead || error instanceof UnsettledCopy)) throw error;
    } finally {
      sent = isFirst ? process.sent() : sent;
      await process.close();
    }
    states.push(await stateOf(place, variant));
  }
  return { states, names, sent };
}

/** Kills the process at each of its last messages, before and after sending; then random victims at random messages. */
function killsOf(messages: number): Kill[] {
  const last = Array.from({ length: lastMessages }, (_, back) => messages - back).flatMap((at) =>
    [true, false].map((isSent) => ({ victim: 'process' as const, at, isSent })),
  );
  const anywhere = Array.from({ length: randomKills }, (_, index) => ({
    victim: victims[index % victims.length] ?? 'process',
    at: randomInt(1, messages + 1),
    isSent: randomInt(2) === 1,
  }));
  return [...last, ...anywhere];
}

async function killMany(place: Place): Promise<void> {
  const request = createRequests(
    place.source,
    place.destination,
    `select n as id, 'row ' || n as name from generate_series(1, ${sourceRows}) n`,
  );
  const names: string[] = [];
  let [kills, cut] = [0, 0];
  for (const variant of variants) {
    // Number of messages of a copy that is not killed.
    const unkilled = await killOnce(place, request, { ...never, variant, victim: 'process' });
    expect([variant, ...unkilled.states]).toEqual([variant, 'after']);
    for (const kill of killsOf(unkilled.sent)) {
      const ended = await killOnce(place, request, { ...kill, variant });
      const label = `${variant}, ${JSON.stringify(kill)} of ${unkilled.sent} messages: ${ended.states.join(', ')}`;
      expect(ended.states.at(-1), label).toBe('after');
      expect(
        ended.states.every((state) => state === 'before' || state === 'after'),
        label,
      ).toBe(true);
      names.push(...ended.names);
      [kills, cut] = [kills + 1, cut + (ended.states.length > 1 ? 1 : 0)];
    }
  }
  // A kill after the last relevant message has no effect. More than half of the kills must have one.
  expect(cut).toBeGreaterThan(kills / 2);
  const connectors = createConnectors();
  const gateway = createCopyData({ connectors, dial: place.dial, ownDatabases: [] });
  const call = { signal: new AbortController().signal, timeoutMs: 60_000 };
  await gateway.dropStaging(place.destination, { schema: 'dst', stagingNames: names }, call);
  await connectors.close();
  expect(await place.leftovers()).toEqual([]);
}

type PostgresPlace = Place & { readonly endOwn: () => Promise<void> };

async function startPostgres(): Promise<PostgresPlace> {
  const database = await createEmptyDatabase();
  const other = await createEmptyDatabase();
  const admin = new pg.Client(database.adminConnection);
  await admin.connect();
  const owner = pg.escapeIdentifier(database.connection.user);
  await admin.query(`create schema dst authorization ${owner}`);
  const user = new pg.Client(database.connection);
  await user.connect();
  const dial = databaseDial(database.connection);
  const target = (id: string, { connection }: typeof database): DataSourceTarget => ({
    id,
    engine: 'PostgreSQL',
    connection: { ...connection, host: testHost, tlsMode: 'Disable' },
  });
  const end = async (name: string) => {
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'svc'`,
      [name],
    );
  };
  const { database: ownName } = database.connection;
  const { database: otherName } = other.connection;
  const texts = async (sql: string) =>
    (await user.query({ text: sql, rowMode: 'array' })).rows.map(([value]) => String(value));
  return {
    source: target('source', other),
    destination: target('destination', database),
    dial,
    texts,
    run: async (sql) => void (await user.query(sql)),
    endSessions: (side) => end(side === 'source' ? otherName : ownName),
    endOwn: () => end(otherName),
    leftovers: () =>
      texts("select relname from pg_class where relname like 'svc\\_staging%' and relkind = 'r'"),
    close: async () => {
      await user.end();
      await admin.end();
      await database.drop();
      await other.drop();
    },
  };
}

async function startMaria(postgres: PostgresPlace): Promise<Place> {
  const server = await startMariaDb();
  const admin = await openMariaDbSession(server.socketPath);
  await admin.query('create database dst character set utf8mb4');
  const texts = async (sql: string) => {
    const [rows] = await admin.query({ sql, rowsAsArray: true });
    return (rows as unknown[][]).map(([value]) => String(value));
  };
  const login = {
    user: 'root',
    password: '',
    database: 'dst',
    tlsMode: 'Disable',
    acceptPrivilegedLogin: true,
  };
  return {
    source: postgres.source,
    destination: { id: 'maria', engine: 'MySQL', connection: { host: server.host, port: 3306, ...login } },
    dial: (target, options) =>
      target.host === server.host ? server.dial(target, options) : postgres.dial(target, options),
    texts,
    run: async (sql) => void (await admin.query(sql)),
    endSessions: async (side) => {
      if (side === 'source') return postgres.endOwn();
      const sessions = await texts(
        'select id from information_schema.processlist where id <> connection_id() and db is not null',
      );
      // The session may have ended in the meantime.
      for (const id of sessions) await admin.query(`kill ${id}`).catch(() => undefined);
    },
    leftovers: () =>
      texts("select table_name from information_schema.tables where table_name like 'svc\\_staging%'"),
    close: async () => {
      await admin.end();
      await server.stop();
    },
  };
}

describe('copies whose process, source or destination is terminated at any of their messages', () => {
  test('into PostgreSQL take effect once or not at all, and leave nothing else behind', async () => {
    const place = await startPostgres();
    await killMany(place).finally(() => place.close());
  }, 900_000);

  test.skipIf(!hasMariaDb())(
    'into MariaDB take effect once or not at all, and leave nothing else behind',
    async () => {
      const postgres = await startPostgres();
      const place = await startMaria(postgres);
      try {
        await killMany(place);
      } finally {
        await place.close();
        await postgres.close();
      }
    },
    900_000,
  );
});
