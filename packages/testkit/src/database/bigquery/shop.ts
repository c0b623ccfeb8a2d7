import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** Result with the service's types. Values are strings, as in the service's JSON. */
export type ShopResult = {
  readonly fields: readonly ShopField[];
  readonly rows: readonly (readonly (string | null)[])[];
};
export type ShopField = { readonly name: string; readonly type: string; readonly mode?: string };

/** Error of a statement, with the reason and the message of the service. */
export class StatementFault extends Error {
  readonly reason: string;
  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

export type ShopParameter = { readonly name: string; readonly type: string; readonly value: string | null };

/** Test data in SQLite, which accepts backticks and named parameters as BigQuery does. */
export type Shop = {
  readonly run: (sql: string, parameters: readonly ShopParameter[]) => ShopResult;
  readonly close: () => void;
};

const tables = `
  create table shop.customers (id INTEGER, email STRING, name STRING);
  insert into shop.customers values (1, 'ann@example.com', 'Ann'), (2, 'bob@example.com', 'Bob'), (3, null, 'Cid');
  create table shop.orders (id INTEGER, customer_id INTEGER, status STRING, total NUMERIC, placed TIMESTAMP);
  insert into shop.orders values
    (1, 1, 'open', 9.5, 1704067200000000), (2, 1, 'closed', 20, 1704153600000001),
    (9007199254740993, 2, 'open', -3.25, 1704240000000000), (4, 7, null, null, null);
  create table shop.many (n INTEGER);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 25000) insert into shop.many select i from n;
  create table shop.huge (n INTEGER);
  create table shop.endless (n INTEGER);
  create table shop.slow (n INTEGER);
  insert into shop.slow values (1);
`;

export function openShop(): Shop {
  const database = new DatabaseSync(':memory:', { allowExtension: false });
  database.exec("attach ':memory:' as shop");
  database.exec(tables);
  database.function('regexp_contains', { deterministic: true }, (text, pattern) =>
    text === null ? null : new RegExp(String(pattern)).test(String(text)) ? 1 : 0,
  );
  return {
    run: (sql, parameters) => run(database, sql, parameters),
    close: () => database.close(),
  };
}

/** Translates the BigQuery syntax that SQLite does not accept. */
const asSqlite = (sql: string): string =>
  sql
    .replaceAll('`svc-tests`.', '')
    .replaceAll(/\bas string\)/gi, 'as text)')
    .replaceAll(
      /timestamp_diff\(current_timestamp\(\), cast\((.+?\)) as timestamp\), second\)/gi,
      '($1 - $1)',
    );

function run(database: DatabaseSync, sql: string, parameters: readonly ShopParameter[]): ShopResult {
  try {
    const statement = database.prepare(asSqlite(sql));
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    const values = Object.fromEntries(
      parameters.map(({ name, type, value }): [string, SQLInputValue] => [name, inputOf(type, value)]),
    );
    statement.setAllowUnknownNamedParameters(true);
    const rows = statement.all(values) as unknown as (bigint | number | string | Uint8Array | null)[][];
    const fields = statement
      .columns()
      .map(({ name, type }, at): ShopField => ({ name, type: type ?? typeOf(rows.map((row) => row[at])) }));
    assertNamesDiffer(fields);
    return { fields, rows: rows.map((row) => row.map((value) => (value === null ? null : String(value)))) };
  } catch (error) {
    throw error instanceof StatementFault ? error : faultOf(error, sql);
  }
}

/** Throws for repeated names, because BigQuery stores each result as a table. */
function assertNamesDiffer(fields: readonly ShopField[]): void {
  const names = fields.map(({ name }) => name.toLowerCase());
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined)
    throw new StatementFault(
      'invalidQuery',
      `Duplicate column names in the result are not supported. Found duplicate(s): ${repeated}`,
    );
}

function inputOf(type: string, value: string | null): SQLInputValue {
  if (value === null) return null;
  if (type === 'INT64') return BigInt(value);
  if (type === 'NUMERIC' || type === 'BIGNUMERIC' || type === 'FLOAT64') return Number(value);
  if (type === 'TIMESTAMP') return BigInt(Date.parse(value)) * 1_000n;
  return value;
}

/** Returns the type of an expression from its first value that is not null. */
function typeOf(values: readonly unknown[]): string {
  const first = values.find((value) => value !== null);
  if (first === undefined || typeof first === 'bigint') return 'INTEGER';
  return typeof first === 'number' ? 'FLOAT' : 'STRING';
}

function faultOf(error: unknown, sql: string): Error {
  const said = error instanceof Error ? error.message : String(error);
  const [, table] = /no such table: (\S+)/.exec(said) ?? [];
  if (table !== undefined)
    return new StatementFault(
      'notFound',
      `Not found: Table svc-tests:${table.replace(/^(?!.*\.)/, 'shop.')} was not found in location EU`,
    );
  const [, column] = /no such column: "?([^"]+)"?/.exec(said) ?? [];
  if (column !== undefined)
    return new StatementFault('invalidQuery', `Unrecognized name: ${column} at ${placeOf(sql, column)}`);
  const [, word = ''] = /near "([^"]*)"/.exec(said) ?? [];
  return new StatementFault('invalidQuery', `Syntax error: Unexpected "${word}" at ${placeOf(sql, word)}`);
}

function placeOf(sql: string, word: string): string {
  const before = sql.slice(0, Math.max(0, sql.indexOf(word))).split('\n');
  return `[${before.length}:${(before.at(-1)?.length ?? 0) + 1}]`;
}
