import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBBlobValue, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import pg from 'pg';
import { openMariaDbSession } from '../../../connectors/src/testing/mariadb-session.ts';
import { openGate } from '../database/gate.ts';
import { startMariaDb } from '../database/mariadb.ts';
import { duckdbColumns } from './duckdb-columns.ts';
import { mariadbColumns } from './mariadb-columns.ts';
import { postgresqlColumns } from './postgresql-columns.ts';
import { sqliteColumns } from './sqlite-columns.ts';
import { createRandom, quoted, type ValueColumn } from './value-column.ts';

/** Engines whose values are compared. */
export const valueEngines = ['PostgreSQL', 'MariaDB', 'SQLite', 'DuckDB'] as const;
export type ValueEngine = (typeof valueEngines)[number];

/** Database of one engine with a table `zoo`: an `id`, and a column of each type. */
export type ValueSource = {
  readonly columns: readonly ValueColumn[];
  /** Body of the data source. */
  readonly body: { readonly engine: string; readonly connection: Readonly<Record<string, unknown>> };
  /** Schema of the table in the metadata of the source. */
  readonly schema: string;
  /** Returns a query of the columns at these positions. */
  readonly select: (places: readonly number[]) => string;
  /** Texts of the engine in the documented form, row by row. */
  readonly texts: readonly (readonly (string | null)[])[];
  readonly close: () => Promise<void>;
};

type Texts = readonly (readonly string[])[];

/** Row with a text of a megabyte, after the rows that messages show. */
const longRow = 40;
const longText = 'long é'.repeat(170_000);
const longTypes = new Set(['text', 'longtext', 'VARCHAR']);

/** Returns the values of all rows except the last row of the table, which contains only NULL. */
function valuesOf(columns: readonly ValueColumn[], rowCount: number, seed: number): Texts {
  const random = createRandom(seed);
  return Array.from({ length: rowCount }, (_, row) =>
    columns.map((column) =>
      row === longRow && longTypes.has(column.type)
        ? longText
        : (column.bounds[row] ?? column.random(random)),
    ),
  );
}

const nameOf = (place: number): string => `c${place + 1}`;
const plainSelect = (places: readonly number[]): string =>
  `select id, ${places.map(nameOf).join(', ')} from zoo order by id`;

function createStatement(columns: readonly ValueColumn[]): string {
  return `create table zoo (id integer primary key, ${columns.map(({ type }, place) => `${nameOf(place)} ${type}`).join(', ')})`;
}

/** Yields statements that insert all rows and a row of NULLs, 50 rows per statement. */
function* inserts(columns: readonly ValueColumn[], values: Texts): Generator<string> {
  const rows = values.map((row, id) => {
    const cells = row.map((text, place) => (columns[place]?.literal ?? quoted)(text));
    return `(${id}, ${cells.join(', ')})`;
  });
  rows.push(`(${values.length}, ${columns.map(() => 'null').join(', ')})`);
  for (let at = 0; at < rows.length; at += 50)
    yield `insert into zoo values ${rows.slice(at, at + 50).join(', ')}`;
}

const documented = (columns: readonly ValueColumn[], rows: readonly (readonly unknown[])[]) =>
  rows.map((row) =>
    row.map((cell, place) => {
      if (cell === null || cell === undefined) return null;
      return columns[place]?.documented?.(String(cell)) ?? String(cell);
    }),
  );

const engineTexts = (columns: readonly ValueColumn[], textOf = (column: string) => column): string =>
  columns.map(({ engineText = textOf }, place) => engineText(nameOf(place))).join(', ');

type ValueSourceOptions = {
  readonly rowCount: number;
  readonly seed: number;
  /** Folder for files that the service may read. */
  readonly folder: string;
  /** The watched database of PostgreSQL. */
  readonly postgresql: pg.ClientConfig;
};

async function postgresql({
  rowCount,
  seed,
  postgresql: connection,
}: ValueSourceOptions): Promise<ValueSource> {
  const columns = postgresqlColumns;
  const client = new pg.Client(connection);
  await client.connect();
  await client.query("set intervalstyle = 'iso_8601'; set timezone = 'UTC'; set datestyle = 'ISO'");
  await client.query(createStatement(columns));
  for (const insert of inserts(columns, valuesOf(columns, rowCount, seed))) await client.query(insert);
  const { rows } = await client.query({
    text: `select ${engineTexts(columns)} from zoo order by id`,
    rowMode: 'array',
    types: { getTypeParser: () => String },
  });
  return {
    columns,
    schema: 'public',
    select: plainSelect,
    texts: documented(columns, rows),
    body: { engine: 'PostgreSQL', connection: { ...connection, tlsMode: 'Disable' } },
    close: () => client.end(),
  };
}

async function mariadb({ rowCount, seed }: ValueSourceOptions): Promise<ValueSource> {
  const columns = mariadbColumns;
  const server = await startMariaDb();
  const session = await openMariaDbSession(server.socketPath);
  await session.query(
    "set names utf8mb4; set sql_mode = ''; create database shop character set utf8mb4; use shop",
  );
  await session.query("create user reader identified by 'secret'; grant select on shop.* to reader");
  await session.query(createStatement(columns));
  for (const insert of inserts(columns, valuesOf(columns, rowCount, seed))) await session.query(insert);
  const [rows] = await session.query({
    sql: `select ${engineTexts(columns)} from zoo order by id`,
    rowsAsArray: true,
    typeCast: (field) => field.string('utf8'),
  });
  const gate = await openGate({ path: server.socketPath });
  const connection = {
    host: '127.0.0.1',
    port: gate.port,
    tlsMode: 'Disable',
    database: 'shop',
    user: 'reader',
    password: 'secret',
  };
  return {
    columns,
    schema: 'shop',
    select: plainSelect,
    body: { engine: 'MySQL', connection },
    texts: documented(columns, Array.isArray(rows) ? rows.map((row) => (Array.isArray(row) ? row : [])) : []),
    close: async () => {
      await session.end();
      gate.stop();
      await server.stop();
    },
  };
}

async function sqlite({ rowCount, seed, folder }: ValueSourceOptions): Promise<ValueSource> {
  const columns = sqliteColumns;
  const file = path.join(folder, 'zoo.sqlite');
  const database = new DatabaseSync(file);
  database.exec(createStatement(columns));
  for (const insert of inserts(columns, valuesOf(columns, rowCount, seed))) database.exec(insert);
  const statement = database.prepare(
    `select ${engineTexts(columns, (column) => `cast(${column} as text)`)} from zoo order by id`,
  );
  statement.setReturnArrays(true);
  const rows: unknown[] = statement.all();
  return {
    columns,
    schema: 'main',
    select: plainSelect,
    body: { engine: 'SQLite', connection: { file } },
    texts: documented(
      columns,
      rows.map((row) => (Array.isArray(row) ? row : [])),
    ),
    close: async () => database.close(),
  };
}

const textOfBytes = (value: DuckDBValue): string | null =>
  value instanceof DuckDBBlobValue ? Buffer.from(value.bytes).toString() : null;

async function duckdb({ rowCount, seed, folder }: ValueSourceOptions): Promise<ValueSource> {
  const columns = duckdbColumns;
  const file = path.join(folder, 'zoo.parquet');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  const asTexts = columns.map((column) => ({ ...column, type: 'VARCHAR' }));
  await connection.run(createStatement(asTexts));
  for (const insert of inserts(columns, valuesOf(columns, rowCount, seed))) await connection.run(insert);
  await connection.run(`copy (select * from zoo order by id) to ${quoted(file)} (format parquet)`);
  const typed = (place: number): string => {
    const type = columns[place]?.type ?? '';
    return type === 'BLOB' ? `unhex(${nameOf(place)})` : `cast(${nameOf(place)} as ${type})`;
  };
  const select = (places: readonly number[]): string =>
    `select id, ${places.map((place) => `${typed(place)} as ${nameOf(place)}`).join(', ')} from zoo order by id`;
  const all = select(columns.map((_column, place) => place));
  // Reads texts as bytes, because the driver drops the byte order mark of a text.
  const asBytes = (text: string) => `encode(cast(${text} as varchar))`;
  const engineTexts = columns.map(({ engineText }, place) =>
    asBytes(engineText?.(nameOf(place)) ?? nameOf(place)),
  );
  const reader = await connection.runAndReadAll(`select ${engineTexts.join(', ')} from (${all})`);
  const rows = reader.getRows().map((row) => row.map(textOfBytes));
  return {
    columns,
    schema: 'main',
    select,
    texts: documented(columns, rows),
    body: { engine: 'DuckDB', connection: { files: [{ name: 'zoo', path: file }] } },
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const openers: Readonly<Record<ValueEngine, (options: ValueSourceOptions) => Promise<ValueSource>>> = {
  PostgreSQL: postgresql,
  MariaDB: mariadb,
  SQLite: sqlite,
  DuckDB: duckdb,
};

export const openValueSource = (engine: ValueEngine, options: ValueSourceOptions): Promise<ValueSource> =>
  openers[engine](options);

/** Creates a folder for the files of sources. */
export function createFolder(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-values-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
