import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Cell, createConnectors, type Dial } from '@svc/connectors';
import { databaseDial, testHost } from '@svc/testkit/database/data-source-dial.ts';
import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import { hasMariaDb, startMariaDb } from '@svc/testkit/database/mariadb.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMariaDbSession } from '../../../../connectors/src/testing/mariadb-session.ts';
import type { DataSourceTarget } from '../run-sql/index.ts';
import { type CopyData, type CopyRequest, createCopyData } from './index.ts';
import { createHooks, createRequests } from './testing.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-every-pair-'));
const connectors = createConnectors({ files: { allowedFolders: [folder] } });
const closing: (() => unknown)[] = [
  () => connectors.close(),
  () => rmSync(folder, { recursive: true, force: true }),
];
const sides = new Map<string, DataSourceTarget>();
let dial: Dial;
let gateway: CopyData;
/** Runs statements at a source, by the name of the side. */
const runs = new Map<string, (sql: string) => unknown>();

beforeAll(async () => {
  const database = await createEmptyDatabase();
  const user = new pg.Client(database.connection);
  await user.connect();
  await user.query('create schema src; create schema dst');
  const postgresDial = databaseDial(database.connection);
  const noteLogin = () => undefined;
  const connection = { ...database.connection, host: testHost, tlsMode: 'Disable' };
  sides.set('PostgreSQL', { id: 'p', engine: 'PostgreSQL', connection, noteLogin });
  runs.set('PostgreSQL', (sql) => user.query(sql));
  const lite = new DatabaseSync(path.join(folder, 'source.sqlite'));
  sides.set('SQLite', {
    id: 's',
    engine: 'SQLite',
    connection: { file: path.join(folder, 'source.sqlite') },
    noteLogin,
  });
  runs.set('SQLite', (sql) => lite.exec(sql.replaceAll('src.t', 't')));
  for (const ending of ['csv', 'parquet']) {
    const files = [{ name: 't', path: path.join(folder, `t.${ending}`) }];
    sides.set(ending, { id: ending, engine: 'DuckDB', connection: { files }, noteLogin });
  }
  const maria = hasMariaDb() ? await startMariaDb() : undefined;
  dial = (target, options) =>
    maria && target.host === maria.host ? maria.dial(target, options) : postgresDial(target, options);
  if (maria) {
    const admin = await openMariaDbSession(maria.socketPath);
    await admin.query('create database src character set utf8mb4; create database dst character set utf8mb4');
    const login = {
      host: maria.host,
      port: 3306,
      user: 'root',
      password: '',
      database: 'dst',
      tlsMode: 'Disable',
    };
    sides.set('MariaDB', { id: 'm', engine: 'MySQL', connection: login, noteLogin });
    runs.set('MariaDB', (sql) => admin.query(sql));
    closing.unshift(
      () => admin.end(),
      () => maria.stop(),
    );
  }
  gateway = createCopyData({ connectors, dial, ownDatabases: [] });
  closing.unshift(
    () => lite.close(),
    () => user.end(),
    () => database.drop(),
  );
}, 120_000);
afterAll(async () => {
  for (const close of closing) await close();
});

const side = (name: string): DataSourceTarget => {
  const target = sides.get(name);
  if (!target) throw new Error(`There is no ${name}.`);
  return target;
};

/** Columns of each type, with values that at least one engine cannot store. */
const hostile: Readonly<Record<string, readonly (readonly [type: string, values: readonly string[]])[]>> = {
  PostgreSQL: [
    ['boolean', ['true', 'false']],
    ['bigint', ['9223372036854775807', '-9223372036854775808', '9007199254740993']],
    [
      'numeric',
      ['12345678901234567890123456789.012345678', '1e40', "'NaN'", '0.000000000000000000000000000000000001'],
    ],
    ['double precision', ['0.1', '5e-324', '1.7976931348623157e308', "'NaN'", "'Infinity'", "'-Infinity'"]],
    ['real', ['0.1', '3.4028235e38']],
    ['text', ["''", "'é🙂𝄞'", `E'a\\tb\\nc\\r"d",\\\\N'`, "'NULL'", "' pad '", "'007'", "E'\\x01'"]],
    ['bytea', ["'\\x00ff'", "''"]],
    [
      'date',
      ["'0044-03-15 BC'", "'infinity'", "'12024-01-01'", "'2024-02-29'", "'0001-01-01'", "'9999-12-31'"],
    ],
    ['time', ["'24:00:00'", "'23:59:59.999999'"]],
    ['timetz', ["'12:00:00.5+14:30'"]],
    [
      'timestamp',
      ["'0044-03-15 01:02:03 BC'", "'infinity'", "'12024-01-01 00:00'", "'2024-02-29 12:30:00.123456'"],
    ],
    [
      'timestamptz',
      [
        "'2024-03-31 02:30:00+01'",
        "'-infinity'",
        "'1883-11-18 12:03:58-07:52:58'",
        "'9999-12-31 23:59:59-05'",
      ],
    ],
    ['interval', ["'1 year -2 months 3 days -04:05:06.789'"]],
    ['uuid', ["'f0b1e0a8-0000-4000-8000-000000000001'"]],
    ['json', [`'{"a": 12345678901234567890.10, "a":  1}'`]],
    ['integer[]', ["'{1,NULL,2}'"]],
  ],
  MariaDB: [
    ['bigint unsigned', ['18446744073709551615', '0']],
    ['decimal(65,30)', ['12345678901234567890123456789.012345678', '99999999999999999999999999999999999.5']],
    ['double', ['0.1', '1.7976931348623157e308']],
    ['longtext', ["'a\\0b'", "''", "'é🙂'", "'a\\tb\\nc\\r'"]],
    ['blob', ["x'00ff'", "''"]],
    ['date', ["'0000-00-00'", "'9999-12-31'", "'2024-02-29'"]],
    ['time(6)', ["'838:59:59'", "'-01:00:00'", "'23:59:59.999999'"]],
    ['datetime(6)', ["'0000-00-00 00:00:00'", "'2024-02-29 12:30:00.123456'"]],
    ['timestamp(6)', ["'2038-01-19 03:14:07.999999'"]],
    ['bit(64)', ["b'1111111111111111111111111111111111111111111111111111111111111111'"]],
    ['year', ['2155', '0']],
  ],
  SQLite: [
    ['integer', ['9223372036854775807', '-1']],
    ['real', ['0.1', '9e999', '1.7976931348623157e308']],
    ['text', ["'a' || char(0) || 'b'", "''", "'🙂'"]],
    ['blob', ["x'00ff'"]],
  ],
};

/** Returns the values of `v` by `id`, as the engine's connector reads them. */
async function valuesOf(name: string, sql: string): Promise<Map<string, Cell>> {
  const { engine, connection } = side(name);
  const call = { signal: new AbortController().signal, timeoutMs: 30_000, dial, noteLogin: () => undefined };
  const limits = { maxRows: 1_000, maxBytes: 10_000_000, maxCellBytes: 1_000_000 };
  const result = await connectors
    .get(engine)
    .execute(connection, { sql }, { ...limits, ...call, decimalsAsText: true });
  const values = new Map<string, Cell>();
  for await (const { rowCount, columns } of result.batches) {
    for (let row = 0; row < rowCount; row++) values.set(String(columns[0]?.[row]), columns[1]?.[row] ?? null);
  }
  return values;
}

/** Reads the CSV file independently of our code. Only a quoted field can be an empty text. */
function valuesOfCsv(): Map<string, Cell> {
  const text = readFileSync(path.join(folder, 't.csv'), 'utf8');
  const values = new Map<string, Cell>();
  for (const [, id = '', quoted, plain = ''] of text.matchAll(/(\d+),(?:"((?:[^"]|"")*)"|([^\n]*))\n/g))
    values.set(id, quoted?.replaceAll('""', '"') ?? (plain === '' ? null : plain));
  return values;
}

const number = /^-?\d+(\.\d+)?$/;

/** Returns one text for equal values, regardless of the engine's notation. */
function plain(cell: Cell | undefined): string {
  if (typeof cell === 'boolean') return cell ? '1' : '0';
  const text = String(cell);
  if (text === 'true' || text === 'false') return text === 'true' ? '1' : '0';
  const value = number.test(text) && text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return value.replace(/^(\d{4}-\d\d-\d\dT.*|\d\d:\d\d:\d\d.*?)Z?$/, (time) =>
    time
      .replace('Z', '')
      .replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, ''),
  );
}

const destinations = ['PostgreSQL', 'MariaDB', 'parquet', 'csv'].filter(
  (name) => name !== 'MariaDB' || hasMariaDb(),
);
const sources = Object.keys(hostile).filter((name) => name !== 'MariaDB' || hasMariaDb());

async function copyOf(source: string, destination: string) {
  const isFile = side(destination).engine === 'DuckDB';
  const request = createRequests(side(source), side(destination), '');
  const table = source === 'SQLite' ? 't' : 'src.t';
  if (isFile) rmSync(path.join(folder, `t.${destination}`), { force: true });
  else await runs.get(destination)?.('drop table if exists dst.t');
  const change: Partial<CopyRequest> = {
    source: { kind: 'Query', sql: `select id, v from ${table} order by id` },
    createsTable: true,
    onRejectedRow: 'Skip',
    destination: { schema: isFile ? 'main' : 'dst', table: 't' },
  };
  const { hooks, told: calls } = createHooks();
  await gateway.run(request(change), hooks);
  const came =
    destination === 'csv'
      ? valuesOfCsv()
      : await valuesOf(destination, isFile ? 'select id, v from t' : 'select id, v from dst.t');
  return { stood: await valuesOf(source, `select id, v from ${table}`), came, rejected: calls.rejected };
}

describe.each(sources)('hostile values of %s', (source) => {
  it.each(hostile[source] ?? [])(
    'are copied exactly or refused by row, into every engine: %s',
    async (type, values) => {
      const run = runs.get(source);
      await run?.('drop table if exists src.t');
      await run?.(`create table src.t (id int primary key, v ${type} null)`);
      if (source === 'MariaDB') await run?.("set sql_mode = ''");
      for (const [at, value] of [...values, 'null'].entries())
        await run?.(`insert into src.t values (${at + 1}, ${value})`);
      for (const destination of destinations) {
        const { stood, came, rejected } = await copyOf(source, destination);
        const refused = new Set(rejected.map(({ rowNumber }) => String(rowNumber)));
        expect(stood.size).toBe(values.length + 1);
        for (const [id, cell] of stood) {
          const value = came.has(id) ? plain(came.get(id)) : 'not there';
          const label = `${source} ${type} ${values[Number(id) - 1]} into ${destination}`;
          expect([label, value]).toEqual([label, refused.has(id) ? 'not there' : plain(cell)]);
        }
      }
    },
  );
});
