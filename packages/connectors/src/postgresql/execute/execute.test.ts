import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecuteOptions, ResultStream, Statement } from '../../port.ts';
import { errorOf, rowsOf } from '../../testing/results.ts';
import { createPostgresqlConnector } from '../index.ts';

const limits = {
  signal: new AbortController().signal,
  timeoutMs: 110_000,
  maxRows: 2_000_000,
  maxBytes: 1_000_000_000,
  maxCellBytes: 1_000_000,
};

const connector = createPostgresqlConnector();
let database: TestDatabase;
let admin: pg.Client;
let options: ExecuteOptions;

beforeAll(async () => {
  database = await createEmptyDatabase();
  options = { ...limits, dial: databaseDial(database.connection) };
  admin = new pg.Client(database.adminConnection);
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await database.drop();
});

const connection = () => ({ ...database.connection, host: testHost, tlsMode: 'Disable' as const });
const execute = (
  statement: string | Statement,
  change: Partial<ExecuteOptions> = {},
): Promise<ResultStream> =>
  connector.execute(connection(), typeof statement === 'string' ? { sql: statement } : statement, {
    ...options,
    ...change,
  });

describe('values of PostgreSQL', () => {
  it('are all returned exactly', async () => {
    const result = await execute(`select true as b, 12::int8 as small, 9223372036854775807::int8 as large,
      1.50::numeric as d, 12345678901234567.89::numeric as exact, 'NaN'::float8 as nan, 0.1::float8 as f,
      date '2024-02-29' as date, timestamp '2024-02-29 12:30:00.5' as ts,
      timestamptz '2024-02-29 12:30:00+02' as tz, interval '1 day 2 hours' as i, '\\x00ff'::bytea as bytes,
      '{"a":12345678901234567890}'::json as json, null::text as n, 'é🙂' as t,
      'f0b1e0a8-0000-4000-8000-000000000001'::uuid as uuid, 'infinity'::timestamptz as forever`);
    expect(result.columns.map((column) => column.kind).join(' ')).toBe(
      'boolean integer integer decimal decimal float float date timestamp timestamptz interval binary json text text uuid timestamptz',
    );
    expect(await rowsOf(result)).toEqual([
      [
        true,
        12,
        '9223372036854775807',
        1.5,
        '12345678901234567.89',
        'NaN',
        0.1,
        '2024-02-29',
        '2024-02-29T12:30:00.5',
        '2024-02-29T10:30:00Z',
        'P1DT2H',
        '00ff',
        '{"a":12345678901234567890}',
        null,
        'é🙂',
        'f0b1e0a8-0000-4000-8000-000000000001',
        'infinity',
      ],
    ]);
  });

  it.each([{}, { rowsWanted: 5, maxRows: 10, maxBytes: 1_000_000 }])(
    'have the type names of the server, and decimals retain their scale: %o',
    async (change) => {
      await admin.query(`create schema if not exists odd; grant usage on schema odd to public;
        drop type if exists odd.mood; create type odd.mood as enum ('ok')`);
      const statement = `select 'ok'::odd.mood m, '[1,10)'::int4range r, array['2020-01-01'::date] a,
        1.10::numeric(10,2) t, array['ok'::odd.mood] ms, '10'::bit(2) b, null::pg_lsn l`;
      for (const _attempt of [1, 2, 3]) {
        const result = await execute(statement, { ...change, decimalsAsText: true });
        expect(result.columns.map(({ databaseType }) => databaseType)).toEqual([
          'odd.mood',
          'int4range',
          'date[]',
          'numeric',
          'odd.mood[]',
          'bit',
          'pg_lsn',
        ]);
        expect(await rowsOf(result)).toEqual([['ok', '[1,10)', '{2020-01-01}', '1.10', '{ok}', '10', null]]);
      }
    },
  );

  it('of an empty result have column names', async () => {
    const result = await execute('select 1 as a, now() as b where false');
    expect(result.columns.map((column) => column.name)).toEqual(['a', 'b']);
    expect(await rowsOf(result)).toEqual([]);
  });

  it('are bound as parameters, outside the text', async () => {
    const sql = "select $1 || '!' as s, $2::int4 + 1 as n, $3::boolean as b, $4::date as d";
    const result = await execute({
      sql,
      values: [
        { type: 'String', value: "'; drop table x --" },
        { type: 'Number', value: '41' },
        { type: 'Boolean', value: false },
        { type: 'Date', value: null },
      ],
    });
    expect(await rowsOf(result)).toEqual([["'; drop table x --!", 42, false, null]]);
  });

  it('cause an immediate error for an invalid statement if origins are requested', async () => {
    const error = await errorOf(execute('select nothing from pg_class', { wantOrigins: true }));
    expect(error).toMatchObject({ code: 'statement-failed', position: { offset: 7, line: 1, column: 8 } });
  });

  it('have the origins of unchanged columns', async () => {
    await admin.query('create table origin_test (id int, email text); grant all on origin_test to public');
    const sql = 'with x as (select email as alias, id from origin_test) select alias, id + 1 as next from x';
    const result = await execute(sql, { wantOrigins: true });
    expect(result.columns.map((column) => column.origin)).toEqual([{ column: 'email' }, null]);
    await result.close();
  });
});

describe('limits of PostgreSQL results', () => {
  it('allow a million rows to stream in bounded memory', async () => {
    const sql = "select i, 'row ' || i as t from generate_series(1, 1000000) as g (i)";
    const result = await execute(sql, { timeoutMs: 120_000 });
    const before = process.memoryUsage().rss;
    let most = before;
    let count = 0;
    for await (const batch of result.batches) {
      count += batch.rowCount;
      most = Math.max(most, process.memoryUsage.rss());
    }
    expect(most - before).toBeLessThan(150_000_000);
    expect(count).toBe(1_000_000);
  });

  it('fail the run if there is one row more than allowed, and allow exactly the maximum', async () => {
    const sql = 'select * from generate_series(1, 50)';
    expect(await rowsOf(await execute(sql, { maxRows: 50 }))).toHaveLength(50);
    expect(await errorOf(execute(sql, { maxRows: 49 }).then(rowsOf))).toMatchObject({
      code: 'too-many-rows',
    });
    expect(await errorOf(execute('select 1', { maxRows: 0 }).then(rowsOf))).toMatchObject({
      code: 'too-many-rows',
    });
  });

  it('refuse one enormous value before it is collected in memory', async () => {
    const before = process.memoryUsage().rss;
    const error = await errorOf(execute("select repeat('x', 200000000)").then(rowsOf));
    expect(error.code).toBe('value-too-large');
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it('refuse a result with too many bytes', async () => {
    const sql = "select repeat('x', 10000) from generate_series(1, 1000)";
    expect(await errorOf(execute(sql, { maxBytes: 1_000_000 }).then(rowsOf))).toMatchObject({
      code: 'too-many-bytes',
    });
  });

  it('stop the statement at the server at the time limit and when the caller cancels', async () => {
    const sql = "select 'bounds test', pg_sleep(20)";
    expect(await errorOf(execute(sql, { timeoutMs: 300 }).then(rowsOf))).toMatchObject({ code: 'timed-out' });
    const controller = new AbortController();
    const running = execute(sql, { signal: controller.signal }).then(rowsOf);
    setTimeout(() => controller.abort(), 100);
    expect(await errorOf(running)).toMatchObject({ code: 'cancelled' });
    await expect.poll(() => backendsWith('bounds test')).toBe(0);
  });

  it('stop the statement when the caller stops reading', async () => {
    const result = await execute("select 'walk test', i from generate_series(1, 1000000) as g (i)");
    for await (const batch of result.batches) {
      expect(batch.rowCount).toBeGreaterThan(0);
      break;
    }
    await expect.poll(() => backendsWith('walk test')).toBe(0);
  });
});

async function backendsWith(text: string): Promise<number> {
  const { rowCount } = await admin.query(
    "select from pg_stat_activity where datname = current_database() and query like '%' || $1 || '%' and pid <> pg_backend_pid() and state <> 'idle'",
    [text],
  );
  return rowCount ?? -1;
}

describe('errors of PostgreSQL statements', () => {
  it('contain the position in the text', async () => {
    const error = await errorOf(execute("select '🙂',\n  nothing_here from pg_class"));
    expect(error).toMatchObject({
      code: 'statement-failed',
      engineCode: '42703',
      position: { line: 2, column: 3 },
    });
    expect(error.message).toContain('nothing_here');
  });

  it('distinguish a wrong password, a missing database, a closed port and missing TLS', async () => {
    const attempt = (change: object) =>
      errorOf(connector.execute({ ...connection(), ...change }, { sql: 'select 1' }, options));
    expect(await attempt({ password: 'wrong' })).toMatchObject({ code: 'authentication-failed' });
    expect(await attempt({ database: 'not_there' })).toMatchObject({ code: 'database-not-found' });
    expect(await attempt({ host: '127.0.0.1', port: 1 })).toMatchObject({ code: 'connection-failed' });
    expect(await attempt({ tlsMode: 'Require' })).toMatchObject({ code: 'tls-failed' });
  });
});
