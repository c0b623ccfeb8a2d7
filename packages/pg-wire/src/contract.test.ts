import { readFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import pgUtils from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  asUnconnected,
  awaitsAnswer,
  backendKeyOf,
  destroySession,
  dropDriverTimeout,
  followErrors,
  followReady,
  followServerVersion,
  timeoutOf,
  watchBytes,
  withoutDriverTimeout,
} from './client.ts';
import { copyIn, takesCopyIn } from './copy.ts';
import { refuseStatements } from './testing.ts';
import { timedQuery } from './timed-query.ts';
import { type Wire, wireOf } from './wire.ts';

/**
 * Versions that this package was tested with. After an update of the driver, check the changes of its client,
 * connection and pool, then record the new versions.
 */
const heldVersions = { pg: '8.23.1', 'pg-pool': '3.14.0', 'pg-protocol': '1.16.1' };

const modules = path.join(import.meta.dirname, '../../../node_modules');
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
});
beforeEach(async () => {
  client = new pg.Client(database.connection);
  client.on('error', () => undefined);
  await client.connect();
});
afterEach(() => client.end());
afterAll(() => database.drop());

test.each(Object.entries(heldVersions))(
  'the contract is tested with the installed version of %s',
  (name, version) => {
    const manifest = JSON.parse(readFileSync(path.join(modules, name, 'package.json'), 'utf8'));
    expect(manifest.version).toBe(version);
  },
);

describe('a client', () => {
  test('awaits an answer from the time that a statement is sent until the server is ready again', async () => {
    let readyCount = 0;
    followReady(client, () => {
      readyCount += 1;
    });
    expect(awaitsAnswer(client)).toBe(false);
    const answer = client.query('select 1');
    expect(awaitsAnswer(client)).toBe(true);
    await answer;
    expect([awaitsAnswer(client), readyCount]).toEqual([false, 1]);
  });

  test('reports the error of a destroyed session to its statement and to its listeners', async () => {
    const heard = new Promise((resolve) => client.once('error', resolve));
    const error = new Error('silent');
    const statement = client.query('select pg_sleep(600)').catch((cause: unknown) => cause);
    destroySession(client, error);
    expect([await statement, await heard]).toEqual([error, error]);
  });

  test('has no time limit of the driver once it is removed, whether settings or one query set it', async () => {
    const limited = new pg.Client({ ...database.connection, query_timeout: 1 });
    limited.on('error', () => undefined);
    await limited.connect();
    dropDriverTimeout(limited);
    const query = timedQuery({ text: 'select pg_sleep(0.2)' }, 1);
    const { rowCount } = await withoutDriverTimeout(query, () => limited.query(query));
    expect([rowCount, timeoutOf(query), timeoutOf('select 1')]).toEqual([1, 1, undefined]);
    await limited.end();
  });
});

describe('the connection of a client', () => {
  test.each<keyof Wire>(['query', 'endCopyFrom', 'sendCopyFail', 'sync', 'on', 'once'])(
    'has the method %s',
    (method) => {
      expect(wireOf(client)[method]).toBeTypeOf('function');
    },
  );

  test('reports the errors of simple and bound statements and of a DO block', async () => {
    const states: string[] = [];
    followErrors(client, (state) => states.push(state));
    await client.query('select nothing_like_it').catch(() => undefined);
    await client.query('select 1 / $1::int', [0]).catch(() => undefined);
    await client.query("do $$ begin raise 'full' using errcode = '53100'; end $$").catch(() => undefined);
    await client.query('select 1');
    expect(states).toEqual(['42703', '22012', '53100']);
  });

  test('has a writable socket', () => {
    expect(wireOf(client).stream).toBeInstanceOf(net.Socket);
    expect(wireOf(client).stream.writable).toBe(true);
  });

  test('records which named statements were sent and which of them are parsed', async () => {
    const { parsedStatements, submittedNamedStatements } = wireOf(client);
    const answer = client.query({ name: 'one', text: 'select 1' });
    expect([parsedStatements['one'], submittedNamedStatements['one']]).toEqual([undefined, 'select 1']);
    await answer;
    expect([parsedStatements['one'], submittedNamedStatements['one']]).toEqual(['select 1', undefined]);
  });

  test('is the same object while the client is connected, and differs between clients', async () => {
    const wire = wireOf(client);
    await client.query('select 1');
    expect(wireOf(client)).toBe(wire);
    expect(wireOf(new pg.Client(database.connection))).not.toBe(wire);
  });
});

describe('a submitted query', () => {
  /** Calls of the driver in their order, with data of the messages. */
  type Call = readonly [method: string, ...given: unknown[]];

  /** Submits messages and collects all calls until the server is ready or has failed. */
  function submit(text: readonly Buffer[], onCall?: (call: string, given: unknown) => void): Promise<Call[]> {
    return new Promise((resolve) => {
      const calls: Call[] = [];
      const handler =
        (method: string, isEnd = false) =>
        (given: unknown) => {
          calls.push([method, given]);
          onCall?.(method, given);
          if (isEnd) resolve(calls);
        };
      const query = {
        submit(connection: unknown) {
          calls.push(['submit', connection]);
          (connection as Wire).stream.write(Buffer.concat([...text, serialize.sync()]));
        },
        handleRowDescription: handler('handleRowDescription'),
        handleDataRow: handler('handleDataRow'),
        handlePortalSuspended: handler('handlePortalSuspended'),
        handleCommandComplete: handler('handleCommandComplete'),
        handleEmptyQuery: handler('handleEmptyQuery'),
        handleCopyInResponse: handler('handleCopyInResponse'),
        handleCopyData: handler('handleCopyData'),
        handleError: handler('handleError', true),
        handleReadyForQuery: handler('handleReadyForQuery', true),
      };
      client.query(query);
    });
  }

  const ask = (text: string): Buffer[] => [serialize.parse({ text }), serialize.bind()];
  const describePortal = serialize.describe({ type: 'P' });
  const methodsOf = (calls: readonly Call[]): string[] => calls.map(([method]) => method);

  test('receives the connection, then each message of the answer', async () => {
    const calls = await submit([...ask('select 7 as seven, null'), describePortal, serialize.execute()]);
    expect(methodsOf(calls)).toEqual([
      'submit',
      'handleRowDescription',
      'handleDataRow',
      'handleCommandComplete',
      'handleReadyForQuery',
    ]);
    expect(calls[0]?.[1]).toBe(wireOf(client));
    expect(calls[1]?.[1]).toMatchObject({ fields: [{ name: 'seven', dataTypeID: 23, tableID: 0 }, {}] });
    expect(calls[2]?.[1]).toMatchObject({ fields: ['7', null] });
    expect(calls[3]?.[1]).toMatchObject({ text: 'SELECT 1' });
  });

  test('is notified of a portal with more rows and of a text without a statement', async () => {
    const some = await submit([...ask('select generate_series(1, 3)'), serialize.execute({ rows: 1 })]);
    expect(methodsOf(some).slice(1)).toEqual([
      'handleDataRow',
      'handlePortalSuspended',
      'handleReadyForQuery',
    ]);
    const none = await submit([...ask(''), serialize.execute()]);
    expect(methodsOf(none).slice(1)).toEqual(['handleEmptyQuery', 'handleReadyForQuery']);
  });

  test('is notified of an error but not of the ready server, and the next query runs', async () => {
    const calls = await submit([...ask('select 1 / 0'), serialize.execute()]);
    expect(methodsOf(calls).slice(1)).toEqual(['handleError']);
    expect(calls[1]?.[1]).toMatchObject({ code: '22012' });
    expect(await client.query('select 1')).toMatchObject({ rowCount: 1 });
    expect(methodsOf(calls).slice(1)).toEqual(['handleError']);
  });

  test('receives the connection when COPY requests data, and can refuse', async () => {
    await client.query('create temporary table things (id int)');
    const calls = await submit([...ask('copy things from stdin'), serialize.execute()], (call, given) => {
      if (call !== 'handleCopyInResponse') return;
      (given as Wire).sendCopyFail('Nothing is sent.');
      (given as Wire).sync();
    });
    expect(methodsOf(calls)).toContain('handleCopyInResponse');
    expect(calls.at(-1)?.[1]).toMatchObject({ code: '57014' });
  });

  test('fails if the client accepts no more statements', async () => {
    refuseStatements(client);
    const calls = await submit(ask('select 1'));
    expect(methodsOf(calls)).toEqual(['handleError']);
  });
});

describe('the server data of a client', () => {
  test('contains the key of the server process after the sign-in', async () => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    expect(backendKeyOf(client)).toEqual({ processId: rows[0]?.pid, secretKey: expect.any(Number) });
    expect(backendKeyOf(new pg.Client(database.connection))).toBeUndefined();
  });

  test('contains the version and every received byte, on a socket that was dialled for the client', async () => {
    const socket = net.connect({ host: database.connection.host, port: database.connection.port });
    await new Promise((resolve) => socket.once('connect', resolve));
    const dialled = new pg.Client({ ...database.connection, stream: () => asUnconnected(socket) });
    const version = followServerVersion(dialled);
    let bytes = 0;
    watchBytes(dialled, socket, false, (chunk) => {
      bytes += chunk.length;
    });
    await dialled.connect();
    const { rows } = await dialled.query(
      "select current_setting('server_version_num')::int / 10000 as major",
    );
    expect(version()).toBe(rows[0].major);
    expect(bytes).toBe(socket.bytesRead);
    await dialled.end();
  });

  test('is passed to the watcher decrypted if the connection is encrypted', async () => {
    const consenting = net.createServer((socket) => socket.once('data', () => socket.write('S')));
    await new Promise<void>((resolve) => consenting.listen(0, '127.0.0.1', resolve));
    const { port } = consenting.address() as AddressInfo;
    const encrypted = new pg.Client({ host: '127.0.0.1', port, ssl: true });
    const wire = wireOf(encrypted);
    const see = () => undefined;
    watchBytes(encrypted, wire.stream, true, see);
    const isShown = new Promise<boolean>((resolve) => {
      wire.once('sslconnect', () =>
        resolve(wire.stream instanceof TLSSocket && wire.stream.listeners('data')[0] === see),
      );
    });
    const connected = encrypted.connect().catch(() => undefined);
    expect(await isShown).toBe(true);
    wire.stream.destroy();
    await connected;
    consenting.close();
  });
});

test('the driver converts bytes, null, numbers, arrays and objects to the expected values', () => {
  const bytes = Buffer.from([0, 255]);
  expect(pgUtils.prepareValue(bytes)).toBe(bytes);
  expect([null, 7, ['a', null], { a: 1 }].map((value) => pgUtils.prepareValue(value))).toEqual([
    null,
    '7',
    '{"a",NULL}',
    '{"a":1}',
  ]);
});

describe('a pool', () => {
  test('executes COPY with its data and reports its failure', async () => {
    const pool = new pg.Pool({ ...database.connection, max: 1 });
    await pool.query('create table copied (id int)');
    await copyIn(pool, 'copy copied from stdin', [[Buffer.from('1\n2\n')]], 10_000);
    await expect(
      copyIn(pool, 'copy copied from stdin', [[Buffer.from('x\n')]], 10_000),
    ).rejects.toMatchObject({ code: '22P02' });
    expect((await pool.query('select id from copied order by id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
    expect(takesCopyIn(pool)).toBe(true);
    await pool.end();
  });

  test('ends a query after its own time limit and closes its connection', async () => {
    const pool = new pg.Pool({ ...database.connection, max: 1 });
    await expect(pool.query(timedQuery({ text: 'select pg_sleep(5)' }, 50))).rejects.toThrow('timeout');
    expect(pool.totalCount).toBe(0);
    await pool.end();
  });

  test('refuses COPY in pipeline mode', async () => {
    const pool = new pg.Pool({ ...database.connection, max: 1, pipeline: true });
    expect(takesCopyIn(pool)).toBe(false);
    await expect(copyIn(pool, 'select 1', [], 10_000)).rejects.toThrow('pipeline mode');
    await pool.end();
  });
});
