import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Dial } from '../../port.ts';
import { rowsOf } from '../../testing/results.ts';
import { createPostgresqlConnector } from '../index.ts';
import type { PostgresqlConnection } from '../settings.ts';

/** Tests of constant settings, which the sign-in sets. If they are not in force, each transaction sets them. */
let database: TestDatabase;
let admin: pg.Client;
let connector: ReturnType<typeof createPostgresqlConnector>;

const ownOptions = [
  ['datestyle', 'ISO, YMD'],
  ['intervalstyle', 'iso_8601'],
  ['timezone', 'UTC'],
  ['bytea_output', 'hex'],
  ['extra_float_digits', '1'],
  ['standard_conforming_strings', 'on'],
  ['client_connection_check_interval', '1s'],
  ['transaction_read_only', 'on'],
] as const;
const look = `select ${ownOptions.map(([name]) => `current_setting('${name}')`).join(', ')}`;
const expected = [ownOptions.map(([, value]) => value)];

beforeAll(async () => {
  database = await createEmptyDatabase();
  admin = new pg.Client(database.adminConnection);
  await admin.connect();
  await admin.query(
    'create table people (id int, mail text); insert into people select n, n from generate_series(1, 30) n',
  );
  await admin.query('grant select on people to public');
  // Settings of the database that must have no effect.
  const foreign = {
    datestyle: "'German, DMY'",
    timezone: "'Asia/Tokyo'",
    bytea_output: "'escape'",
    extra_float_digits: '-5',
    standard_conforming_strings: 'off',
    intervalstyle: "'sql_standard'",
    lock_timeout: '5',
    statement_timeout: '60000',
    idle_in_transaction_session_timeout: '7',
  };
  const { rows } = await admin.query<{ name: string }>('select current_database() as name');
  for (const [name, value] of Object.entries(foreign))
    await admin.query(`alter database ${admin.escapeIdentifier(rows[0]?.name ?? '')} set ${name} = ${value}`);
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});
beforeEach(() => {
  connector = createPostgresqlConnector({ keepConnections: { idleMs: 60_000 } });
});
afterEach(() => connector.close());

const settings = (): PostgresqlConnection => ({ ...database.connection, host: testHost, tlsMode: 'Disable' });
const rows = async (sql: string, dial: Dial = databaseDial(database.connection), rowsWanted?: number) =>
  rowsOf(
    await connector.execute(
      settings(),
      { sql },
      {
        maxRows: 10_000,
        maxBytes: 1_000_000,
        maxCellBytes: 100_000,
        dial,
        signal: new AbortController().signal,
        timeoutMs: 30_000,
        wantOrigins: true,
        ...(rowsWanted !== undefined && { rowsWanted }),
      },
    ),
  );

type Way = {
  readonly dial: Dial;
  readonly sent: () => string;
  readonly dials: () => number;
};

/** Creates a dialler that can change the messages of both sides. */
function wayWith(change: {
  readonly toServer?: (text: string) => string | undefined;
  readonly toClient?: (bytes: Buffer) => Buffer;
  readonly onRefused?: string;
}): Way {
  let sent = '';
  let dials = 0;
  const dial: Dial = async (target, options) => {
    dials += 1;
    const socket = await databaseDial(database.connection)(target, options);
    const { _write: write, push } = socket;
    socket._writev = undefined as never;
    socket._write = (chunk: Buffer, encoding, done) => {
      const text = chunk.toString('latin1');
      sent += text;
      const changed = change.toServer ? change.toServer(text) : text;
      if (changed === undefined) {
        done();
        push.call(socket, Buffer.from(change.onRefused ?? '', 'latin1'));
        return;
      }
      write.call(socket, Buffer.from(changed, 'latin1'), encoding, done);
    };
    if (change.toClient) {
      const { toClient } = change;
      socket.push = (chunk: Buffer | null, encoding) =>
        push.call(socket, chunk === null ? null : toClient(chunk), encoding);
    }
    return socket;
  };
  const take = () => {
    const sentBefore = sent;
    sent = '';
    return sentBefore;
  };
  return { dial, sent: take, dials: () => dials };
}

const message = (type: string, body: string): string => {
  const bytes = Buffer.alloc(5 + body.length);
  bytes.write(type, 0, 'latin1');
  bytes.writeUInt32BE(4 + body.length, 1);
  bytes.write(body, 5, 'latin1');
  return bytes.toString('latin1');
};
const isStartup = (text: string): boolean => text.startsWith('user\0', 8);
const optionsOf = /options\0[^\0]*\0/;
const resized = (text: string): string => {
  const bytes = Buffer.from(text, 'latin1');
  bytes.writeUInt32BE(bytes.length, 0);
  return bytes.toString('latin1');
};
const setInTransaction = 'set local bytea_output';
/** Runs the query twice. The first run fills the caches; the second one needs one exchange. */
const lookTwice = async (way: Way) => {
  expect(await rows(look, way.dial, 20)).toEqual(expected);
  way.sent();
  expect(await rows(look, way.dial, 20)).toEqual(expected);
  return way.sent();
};

describe('session settings that apply to every statement', () => {
  it('apply despite settings of the database, and are not sent with each statement', async () => {
    const way = wayWith({});
    const sent = await lookTwice(way);
    expect(sent).not.toContain(setInTransaction);
    expect(sent).toContain('set local statement_timeout');
    expect(sent).toContain('show svc.signed_in_');
    expect(way.dials()).toBe(1);
  });

  it('apply to a result that is read in pieces, where they are not part of the sign-in', async () => {
    const way = wayWith({});
    expect(await rows(look, way.dial)).toEqual(expected);
    expect(way.sent()).not.toMatch(optionsOf);
    expect(await lookTwice(way)).toContain(setInTransaction);
    expect(way.dials()).toBe(1);
  });

  it('are restored after a statement that changed them', async () => {
    const way = wayWith({});
    await lookTwice(way);
    const change = `select count(*) from (select set_config(n, v, false) from (values ('bytea_output', 'escape'),
      ('timezone', 'Asia/Tokyo'), ('datestyle', 'German')) as s (n, v)) t`;
    // The gate refuses this statement, but a function of the database could do the same.
    await admin.query(
      `create or replace function change_all() returns bigint language sql as $$ ${change} $$`,
    );
    expect(await rows('select change_all()', way.dial, 20)).toEqual([[3]]);
    expect(await rows(look, way.dial, 20)).toEqual(expected);
    expect(way.dials()).toBe(1);
  });

  it.each([
    ['08P01', 'unsupported startup parameter: options'],
    ['42704', 'unrecognized configuration parameter'],
  ])('are set in each transaction if the server refuses them at sign-in (%s)', async (code, said) => {
    const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${said}`].map((field) => `${field}\0`).join('');
    const way = wayWith({
      toServer: (text) => (isStartup(text) && optionsOf.test(text) ? undefined : text),
      onRefused: message('E', `${fields}\0`),
    });
    expect(await lookTwice(way)).toContain(setInTransaction);
    expect(way.dials()).toBe(2);
    // The refusal is cached: the next connection signs in without the settings immediately.
    const wait = () => rows('select pg_sleep(0.1)::text', way.dial, 20);
    await Promise.all([wait(), wait()]);
    expect(way.dials()).toBe(3);
    expect(way.sent()).not.toMatch(optionsOf);
  });

  it('are set in each transaction if an intermediate server removes them', async () => {
    const way = wayWith({
      toServer: (text) => (isStartup(text) ? resized(text.replace(optionsOf, '')) : text),
    });
    expect(await lookTwice(way)).toContain(setInTransaction);
    expect(way.dials()).toBe(1);
  });

  it('are set in each transaction behind a pooler with its own cancel keys', async () => {
    const keyData = Buffer.from('K\0\0\0', 'latin1');
    const way = wayWith({
      toClient: (bytes) => {
        const at = bytes.indexOf(keyData);
        if (at < 0) return bytes;
        const changed = Buffer.from(bytes);
        changed.writeUInt32BE(1, at + 5);
        return changed;
      },
    });
    expect(await lookTwice(way)).toContain(setInTransaction);
  });

  it('stop a statement in another server process before it begins, and the retry sets them in the transaction', async () => {
    await admin.query('create sequence runs; grant all on runs to public');
    await admin.query(
      `create function note_run() returns text language sql as $$ select current_setting('bytea_output') $$`,
    );
    let isAnother = false;
    const way = wayWith({
      // The mark does not exist in a server process that another client started.
      toServer: (text) => (isAnother ? text.replaceAll('svc.signed_in_', 'svc.signed_up_') : text),
    });
    await lookTwice(way);
    isAnother = true;
    expect(await rows('select note_run()', way.dial, 20)).toEqual([['hex']]);
    const sent = way.sent();
    expect(sent.split('note_run').length - 1).toBe(2);
    expect(sent).toContain(setInTransaction);
    isAnother = false;
    expect(await lookTwice(way)).toContain(setInTransaction);
  });

  it('do not cause a second attempt with a wrong password', async () => {
    const way = wayWith({});
    await expect(
      connector.execute(
        { ...settings(), password: 'wrong' },
        { sql: look },
        {
          maxRows: 10,
          maxBytes: 1_000,
          maxCellBytes: 1_000,
          dial: way.dial,
          signal: new AbortController().signal,
          timeoutMs: 30_000,
        },
      ),
    ).rejects.toMatchObject({ code: 'authentication-failed' });
    expect(way.dials()).toBe(1);
  });
});
