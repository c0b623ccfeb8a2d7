import { hasMariaDb, startMariaDb, type TestMariaDb } from '@svc/testkit/database/mariadb.ts';
import mysql from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSession, query } from './session.ts';

let server: TestMariaDb;
let admin: mysql.Connection;
/** Errors that would have ended the process. */
let uncaught: unknown[];
const hear = (error: unknown): void => void uncaught.push(error);

beforeEach(() => {
  uncaught = [];
  process.on('uncaughtException', hear);
});
afterEach(() => {
  process.off('uncaughtException', hear);
  expect(uncaught).toEqual([]);
});

describe.skipIf(!hasMariaDb())('a MariaDB session that the server ends', () => {
  beforeAll(async () => {
    server = await startMariaDb();
    admin = await mysql.createConnection({ socketPath: server.socketPath, user: 'root' });
  });
  afterAll(async () => {
    await admin.end();
    await server.stop();
  });

  const open = () =>
    openSession(
      { host: server.host, port: 3306, database: 'mysql', user: 'root', password: '', tlsMode: 'Disable' },
      {
        dial: server.dial,
        signal: new AbortController().signal,
        timeoutMs: 110_000,
        limits: { maxBytes: 1_000_000, maxCellBytes: 100_000 },
      },
    );

  it('fails the next statement if it was idle in its transaction, and a new session works', async () => {
    const session = await open();
    const gone = expect(session.lost).rejects.toMatchObject({ code: 'connection-lost' });
    await admin.query(`kill connection ${Math.trunc(session.client.threadId)}`);
    await gone;
    const failure = await query(session.client, 'select 1').catch((error: unknown) => session.explain(error));
    expect(failure).toMatchObject({ code: 'connection-lost' });
    await session.finish();

    const next = await open();
    expect(await query(next.client, 'select 1 as one')).toMatchObject([{ one: 1 }]);
    await next.finish();
  }, 120_000);

  it('fails a running statement', async () => {
    const session = await open();
    const running = Promise.race([query(session.client, 'select sleep(600)'), session.lost]);
    const failed = expect(running.catch((error: unknown) => session.explain(error))).resolves.toMatchObject({
      code: 'connection-lost',
    });
    await admin.query(`kill connection ${Math.trunc(session.client.threadId)}`);
    await failed;
    await session.finish();
  }, 120_000);
});
