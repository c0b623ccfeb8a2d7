import type { Metadata, TableMetadata } from '@svc/connectors';
import { describe, expect, test } from 'vitest';
import { canBreak, differencesOf } from './differences.ts';

const table = (
  name: string,
  columns: Readonly<Record<string, string>>,
  schema = 'public',
): TableMetadata => ({
  schema,
  name,
  type: 'Table',
  comment: null,
  primaryKey: [],
  foreignKeys: [],
  indexes: [],
  columns: Object.entries(columns).map(([column, databaseType]) => ({
    name: column,
    databaseType,
    isNullable: true,
    defaultValue: null,
    comment: null,
  })),
});
const metadata = (tables: TableMetadata[], cut: Partial<Metadata> = {}): Metadata => ({
  schemas: ['public'],
  tables,
  areTablesCut: false,
  areColumnsCut: false,
  ...cut,
});
const linesOf = (before: Metadata, after: Metadata): string[] =>
  differencesOf(before, after).map(({ kind, schema, table: name, column, typeBefore, typeAfter }) =>
    [kind, `${schema}.${name}`, column, typeBefore, typeAfter].filter((part) => part !== null).join(' '),
  );

const orders = table('orders', { id: 'integer', email: 'text' });

describe('differences between two schema snapshots', () => {
  test('contain added, removed and retyped tables and columns', () => {
    const after = metadata([
      table('orders', { id: 'bigint', total: 'numeric' }),
      table('orders', { id: 'integer' }, 'archive'),
    ]);
    expect(linesOf(metadata([orders, table('old', { id: 'integer' })]), after)).toEqual([
      'TableRemoved public.old',
      'ColumnRemoved public.orders email text',
      'ColumnRetyped public.orders id integer bigint',
      'ColumnAdded public.orders total numeric',
      'TableAdded archive.orders',
    ]);
  });

  test('do not exist between equal snapshots in another order', () => {
    const swapped = table('orders', { email: 'text', id: 'integer' });
    expect(linesOf(metadata([orders, table('a', {})]), metadata([table('a', {}), swapped]))).toEqual([]);
  });

  test('ignore tables and columns that a limit has cut off', () => {
    const complete = metadata([orders, table('items', { id: 'integer' })]);
    const cut = metadata([table('orders', { id: 'integer' })], { areTablesCut: true, areColumnsCut: true });
    expect(linesOf(complete, cut)).toEqual([]);
    expect(linesOf(cut, complete)).toEqual([]);
  });

  test('can break a statement only if a table or column was removed or retyped', () => {
    const before = metadata([orders]);
    const added = metadata([orders, table('new', {})]);
    expect(differencesOf(before, added).some(canBreak)).toBe(false);
    expect(differencesOf(added, before).some(canBreak)).toBe(true);
  });
});
