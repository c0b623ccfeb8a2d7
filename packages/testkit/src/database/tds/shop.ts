import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Fault, TokenColumn, TokenValue } from './tokens.ts';

export type Result = {
  readonly columns: readonly TokenColumn[];
  readonly rows: readonly (readonly TokenValue[])[];
};

/**
 * In quoted types, the first word is the type of SQL Server. `text` and `blob` prevent a conversion to numbers by
 * SQLite.
 */
const schema = `
  create table customers (id int primary key, email nvarchar, name nvarchar);
  create table orders (id bigint primary key, customer_id int references customers (id), status nvarchar,
    total "decimal(38,10) text", price "money text", placed "datetime2(7) text", sent "datetimeoffset(7) text",
    day "date text", is_paid "bit", weight "float", photo "varbinary blob");
  insert into customers values (1, 'ann@example.com', 'Ann'), (2, 'bob@example.com', 'Bob');
  insert into orders values
    (9223372036854775807, 1, 'paid ', '2126764793255865396646091296.4485513215', '922337203685477.5807',
     '9999-12-31T23:59:59.9999999', '2024-07-01T10:00:00.1234567Z', '2024-07-01', 1, 0.1, x'00ff'),
    (2, 2, 'new', '-0.5', '-0.0001', '0001-01-01T00:00:00.0000001', '2024-07-02T00:00:00Z', '0001-01-01', 0, 2.5, null),
    (3, null, null, null, null, null, null, null, null, null, null);`;

/** Creates the database file of the shop. Each connection opens it separately. */
export function createShop(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal');
  database.exec(schema);
  database.close();
}

export type Shop = {
  readonly run: (sql: string, values: Readonly<Record<string, string | null>>) => Result | Fault;
  readonly close: () => void;
};

/** Opens the shop. It translates the T-SQL of the tests' statements for SQLite, which executes them. */
export function openShop(file: string): Shop {
  const database = new DatabaseSync(':memory:');
  database.exec(`attach '${file.replaceAll("'", "''")}' as dbo`);
  database.function('sysutcdatetime', () => new Date().toISOString().replace('Z', ''));
  database.function('len', (text) => (text === null ? null : String(text).replace(/ +$/, '').length));
  database.function('datalength', (text) => (text === null ? null : String(text).length * 2));
  database.function('newest_seconds', (from, to) =>
    from === null || to === null
      ? null
      : Math.round((Date.parse(`${String(to)}Z`) - Date.parse(`${String(from).replace('Z', '')}Z`)) / 1_000),
  );
  return {
    close: () => database.close(),
    run: (sql, values) => {
      const text = sqliteText(sql);
      try {
        const statement = database.prepare(text);
        statement.setReadBigInts(true);
        statement.setReturnArrays(true);
        statement.setAllowUnknownNamedParameters(true);
        const named: Record<string, SQLInputValue> = values;
        const rows = statement.all(named) as unknown as TokenValue[][];
        const declared = statement.columns();
        return {
          rows,
          columns: declared.map(({ name, type }, at) => ({ name, type: typeOf(type, rows, at) })),
        };
      } catch (error) {
        return faultOf(error instanceof Error ? error.message : String(error), sql);
      }
    },
  };
}

const int4Max = 2_147_483_647n;

function typeOf(declared: string | null, rows: readonly (readonly TokenValue[])[], at: number): string {
  if (declared !== null) return declared.toLowerCase().replace(/ (?:text|blob)$/, '');
  const values = rows.map((row) => row[at] ?? null).filter((value) => value !== null);
  if (values.length > 0 && values.every((value) => typeof value === 'bigint'))
    return values.every((value) => (value < 0n ? -value : value) <= int4Max) ? 'int' : 'bigint';
  if (values.some((value) => typeof value === 'number')) return 'float';
  return values.some((value) => value instanceof Uint8Array) ? 'varbinary' : 'nvarchar';
}

function sqliteText(sql: string): string {
  const top = /\btop \((\d+)\)/i.exec(sql);
  const text = sql
    .replaceAll(/\btop \(\d+\)/gi, '')
    .replaceAll(/\bN'/g, "'")
    // T-SQL concatenates texts with `+`.
    .replaceAll(/\+ '\.'/g, "|| '.'")
    .replaceAll(/\bcount_big\(/gi, 'count(')
    .replaceAll(/\bcollate Latin1_General_100_BIN2\b/gi, 'collate binary')
    .replaceAll(/\bconvert\((?:datetime2\(7\)|date), (@p\d+), \d+\)/gi, '$1')
    .replaceAll(/\bas (?:n?varchar)\((?:max|\d+)\)/gi, 'as text')
    .replaceAll(/\bas (?:bigint|int|bit)\)/gi, 'as integer)')
    .replaceAll(/\bdatediff_big\(second, /gi, 'newest_seconds(')
    .replace(/;\s*$/, '');
  return top ? `${text} limit ${top[1]}` : text;
}

/** Translates an error of SQLite to the number and message of SQL Server. */
function faultOf(message: string, sql: string): Fault {
  const lineOf = (word: string): number => {
    const at = sql.indexOf(word);
    return at === -1 ? 1 : sql.slice(0, at).split('\n').length;
  };
  const named = (pattern: RegExp): string | undefined => pattern.exec(message)?.[1];
  const table = named(/no such table: (?:main\.)?(\S+)/);
  if (table !== undefined)
    return {
      number: 208,
      message: `Invalid object name '${table}'.`,
      line: lineOf(table.split('.').at(-1) ?? ''),
    };
  const column = named(/no such column: "?([^"\s]+)/);
  if (column !== undefined)
    return { number: 207, message: `Invalid column name '${column}'.`, line: lineOf(column) };
  const near = named(/near "([^"]+)": syntax error/) ?? '';
  return { number: 102, message: `Incorrect syntax near '${near}'.`, line: lineOf(near) };
}
