import { type ShopField, type ShopResult, StatementFault } from './shop.ts';

/** Datasets with their locations. */
export const datasets: readonly (readonly [name: string, location: string])[] = [
  ['archive', 'US'],
  ['shop', 'EU'],
];

const fields = (...names: readonly string[]): ShopField[] => names.map((name) => ({ name, type: 'STRING' }));

type Row = readonly (string | null)[];

const tables: readonly Row[] = [
  ['shop', 'customers', 'BASE TABLE', '"Who \\"buys\\"."'],
  ['shop', 'orders', 'BASE TABLE', null],
  ['shop', 'recent', 'MATERIALIZED VIEW', null],
  ['archive', 'old', 'EXTERNAL', null],
];

const columns: readonly Row[] = [
  ['archive', 'old', 'id', 'INT64', 'YES', 'NULL', null, '1'],
  ['shop', 'customers', 'id', 'INT64', 'NO', 'NULL', null, '1'],
  ['shop', 'customers', 'email', 'STRING', 'YES', 'NULL', 'Where mail goes.', '2'],
  ['shop', 'customers', 'name', 'STRING', 'YES', "'nobody'", null, '3'],
  ['shop', 'orders', 'id', 'INT64', 'NO', 'NULL', null, '1'],
  ['shop', 'orders', 'customer_id', 'INT64', 'YES', 'NULL', null, '2'],
  ['shop', 'orders', 'status', 'STRING', 'YES', 'NULL', null, '3'],
  ['shop', 'orders', 'total', 'NUMERIC', 'YES', 'NULL', null, '4'],
  ['shop', 'orders', 'placed', 'TIMESTAMP', 'YES', 'NULL', null, '5'],
  ['shop', 'recent', 'id', 'INT64', 'YES', 'NULL', null, '1'],
];

const keys: readonly Row[] = [
  ['shop', 'customers', 'customers.pk$', 'PRIMARY KEY', 'id', null, null, null, '1'],
  ['shop', 'orders', 'orders.fk$1', 'FOREIGN KEY', 'customer_id', 'shop', 'customers', '1', '1'],
  ['shop', 'orders', 'orders.pk$', 'PRIMARY KEY', 'id', null, null, null, '1'],
];

/** Returns the rows of a view of `INFORMATION_SCHEMA`; undefined for other statements. */
export function catalogueAnswer(sql: string, location: string | undefined): ShopResult | undefined {
  const asked = [...sql.matchAll(/`(\w+)`\.INFORMATION_SCHEMA\.(TABLES t|COLUMNS c|KEY_COLUMN_USAGE k)/g)];
  const [, , view] = asked[0] ?? [];
  if (view === undefined) return undefined;
  assertNamesDiffer(sql);
  const names = new Set(asked.map(([, name]) => name));
  for (const name of names) {
    const place = datasets.find(([each]) => each === name)?.[1];
    if (place === undefined || place !== location) throw new Error(`${name} is not in ${location}.`);
  }
  const of = (rows: readonly Row[]): Row[] => rows.filter(([schema]) => names.has(schema ?? ''));
  if (view === 'TABLES t')
    return { fields: fields('table_schema', 'table_name', 'table_type', 'option_value'), rows: of(tables) };
  if (view === 'COLUMNS c')
    return { fields: fields('a', 'b', 'c', 'd', 'e', 'f', 'g', 'ordinal_position'), rows: of(columns) };
  return { fields: fields('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'), rows: of(keys) };
}

/** Throws if two items of the outermost select list have the same name. */
function assertNamesDiffer(sql: string): void {
  const list = /^select\s([\s\S]*?)\sfrom\s/.exec(sql)?.[1] ?? '';
  const names = list.split(',').map((item) => /(\w+)\s*\)?$/.exec(item.trim())?.[1] ?? '');
  if (new Set(names).size < names.length)
    throw new StatementFault('invalidQuery', 'Duplicate column names in the result are not supported.');
}
