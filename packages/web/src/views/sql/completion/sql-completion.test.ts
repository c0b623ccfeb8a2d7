import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { completeNames, type SqlNames } from './sql-completion.ts';
import { columnsOf, commonTables } from './sql-text.ts';

const names: SqlNames = {
  tables: [
    {
      schema: 'public',
      name: 'orders',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'Placed at', type: 'timestamptz' },
      ],
    },
    { schema: 'public', name: 'customers', columns: [{ name: 'email', type: 'text' }] },
    { schema: 'audit', name: 'orders', columns: [{ name: 'changed_by', type: 'text' }] },
  ],
  joins: [
    {
      source: { schema: 'public', table: 'orders', columns: ['customer_id'] },
      target: { schema: 'public', table: 'customers', columns: ['id'] },
    },
    {
      source: { schema: 'audit', table: 'orders', columns: ['order_id', 'Placed at'] },
      target: { schema: 'public', table: 'orders', columns: ['id', 'Placed at'] },
    },
  ],
  parameters: ['region', 'limit'],
};

function complete(marked: string) {
  const position = marked.indexOf('|');
  const state = EditorState.create({ doc: marked.replace('|', '') });
  const result = completeNames(names, 'PostgreSQL')(new CompletionContext(state, position, true));
  return result?.options.map((option) => String(option.apply ?? option.label)) ?? [];
}

describe('SQL completion', () => {
  it('offers columns after an alias, quoted if the name requires it', () => {
    expect(complete('select o.| from orders o')).toEqual(['id', '"Placed at"']);
  });

  it('recognises an alias that is declared after the cursor with AS', () => {
    expect(complete('select c.| from orders o join customers as c on true')).toEqual(['email']);
  });

  it('offers the tables of a schema, and distinguishes two tables with the same name', () => {
    expect(complete('select * from audit.|')).toEqual(['orders']);
    expect(complete('select * from audit.orders a where a.|')).toEqual(['changed_by']);
    expect(complete('select * from ord|')).toContain('audit.orders');
  });

  it('offers the columns of the tables in scope without an alias', () => {
    expect(complete('select em| from customers')).toContain('email');
  });

  it('offers nothing for a new name after AS', () => {
    expect(complete('select id as o|')).toEqual([]);
    expect(complete('select id AS | from orders')).toEqual([]);
  });

  it('offers no name twice, neither a queried table nor a column of two tables', () => {
    expect(complete('select ord| from orders').filter((name) => name === 'orders')).toHaveLength(1);
    expect(complete('select * from ord| where true')).toContain('audit.orders');
    const both = complete('select i| from orders join audit.orders a on true join orders o on true');
    expect(both.filter((name) => name === 'id')).toHaveLength(1);
  });

  it('does not read a keyword after a table as its alias', () => {
    expect(complete('select orders.| from orders where true')).toEqual(['id', '"Placed at"']);
  });

  it('recognises every table of a join without aliases, and of a list', () => {
    expect(complete('select 1 from orders join customers on true where customers.|')).toEqual(['email']);
    expect(complete('select 1 from orders o, customers c where c.|')).toEqual(['email']);
    expect(complete('select o.id, c.| from orders o, customers c')).toEqual(['email']);
  });

  it('offers the columns of common table expressions', () => {
    const text =
      'with late as (select id, max(placed) as newest from orders group by id) select l.| from late l';
    expect(complete(text)).toEqual(['id', 'newest']);
    expect(commonTables('with a(x, y) as (select 1, 2), b as (select z from t) select 1')).toEqual([
      { name: 'a', columns: ['x', 'y'] },
      { name: 'b', columns: ['z'] },
    ]);
  });

  it('offers the columns of a subquery after its alias', () => {
    const inner = 'select id, sum(total) as spent from orders group by id';
    expect(complete(`select s.| from (${inner}) s`)).toEqual(['id', 'spent']);
    expect(complete(`select s.| from customers c join lateral (${inner}) as s on true`)).toEqual([
      'id',
      'spent',
    ]);
    expect(complete('select s.| from (select * from customers) as s where true')).toEqual(['email']);
    expect(complete('select w.| from (values (1)) where')).toEqual([]);
  });

  it('offers after JOIN the tables related to a queried table, with the condition', () => {
    expect(complete('select 1 from orders o join |')).toEqual(
      expect.arrayContaining([
        'customers on customers.id = o.customer_id',
        'audit.orders on orders.order_id = o.id and orders."Placed at" = o."Placed at"',
      ]),
    );
    expect(complete('select 1 from customers c join |')).toContain('orders on orders.customer_id = c.id');
    expect(complete('select 1 from orders join customers on true join |')).toContain(
      'customers customers_2 on customers_2.id = orders.customer_id',
    );
    expect(complete('select 1 from |').some((text) => text.includes(' on '))).toBe(false);
  });

  it('offers after JOIN … ON the condition that relates the table to one of the others', () => {
    expect(complete('select 1 from orders o join customers as c on |')[0]).toBe('c.id = o.customer_id');
    expect(complete('select 1 from customers join orders on |')[0]).toBe('orders.customer_id = customers.id');
    const none = complete('select 1 from customers c join audit.orders a on |');
    expect(none.filter((text) => text.includes('='))).toEqual([]);
  });

  it('offers parameters after two braces', () => {
    expect(complete('select * from orders where region = {{re|')).toEqual(['region}}', 'limit}}']);
  });

  it('derives the column names of a statement from names, stars, aliases, calls and strings with commas', () => {
    const named = (sql: string) => columnsOf(sql, names.tables).map(({ name }) => name);
    expect(named('select * from orders')).toEqual(['id', 'Placed at']);
    expect(
      named("select o.*, coalesce(c.email, 'a, b') as mail from orders o join customers c on true"),
    ).toEqual(['id', 'Placed at', 'mail']);
    expect(named('with a as (select id from orders) select a.id, count(*) as "How many" from a')).toEqual([
      'id',
      'How many',
    ]);
    expect(named('')).toEqual([]);
    expect(columnsOf('select id from orders', names.tables)).toEqual([{ name: 'id', type: 'integer' }]);
  });
});
