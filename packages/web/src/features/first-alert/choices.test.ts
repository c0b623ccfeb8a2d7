import { expect, test } from 'vitest';
import { readableTables, statementOf, type Table } from './choices.ts';

const table = (name: string, comment: string | null = null): Table => ({
  schema: 'api',
  name,
  type: 'Table',
  comment,
  columns: [],
  primaryKey: [],
  foreignKeys: [],
  indexes: [],
});
const rows = { kind: 'rows', column: null, side: 'above', line: '', sql: '' } as const;

test('a query of a REST endpoint starts from the location of its rows', () => {
  expect(statementOf('Rest', table('/orders', 'Orders Rows at /data.'), rows)).toBe(
    '{"path": "/orders", "rows": "/data"}',
  );
  expect(statementOf('Rest', table('/orders'), rows)).toBe('{"path": "/orders"}');
  expect(statementOf('SQLite', table('orders'), rows)).toBe('select * from orders');
});

test('endpoints whose path needs a value are not offered', () => {
  const tables = [table('/orders'), table('/orders/{id}')];
  expect(readableTables('Rest', tables).map(({ name }) => name)).toEqual(['/orders']);
  expect(readableTables('PostgreSQL', tables)).toHaveLength(2);
});
