import { describe, expect, test } from 'vitest';
import { schemaLengthMax } from './choose-tables.ts';
import { glossaryLengthMax } from './choose-words.ts';
import { groundingOf } from './ground.ts';
import type { GroundedTable, Knowledge } from './knowledge.ts';
import { sentLength } from './sent-length.ts';

const columnOf = (name: string, comment: string | null = null) => ({
  name,
  databaseType: 'int4',
  isNullable: true,
  defaultValue: null,
  comment,
});
const tableOf = (
  name: string,
  columns: readonly string[],
  more: Partial<GroundedTable> = {},
): GroundedTable => ({
  schema: 'public',
  name,
  type: 'Table',
  comment: null,
  primaryKey: ['id'],
  foreignKeys: [],
  indexes: [],
  columns: ['id', ...columns].map((column) => columnOf(column)),
  ...more,
});
const keyOf = (source: string, column: string, target: string) => ({
  source: { schema: 'public', table: source, columns: [column] },
  target: { schema: 'public', table: target, columns: ['id'] },
});

const shop: Knowledge = {
  engine: 'PostgreSQL',
  tables: [
    tableOf('orders', ['customer_id', 'total'], { comment: 'What was\nordered' }),
    tableOf('customers', ['email'], { type: 'View' }),
  ],
  keys: [keyOf('orders', 'customer_id', 'customers')],
  values: [],
  terms: [],
  examples: [],
  patterns: [],
};

/** Adds many tables with meaningless names to the given tables. */
const wide = (tables: readonly GroundedTable[], more: Partial<Knowledge> = {}): Knowledge => ({
  ...shop,
  tables: [
    ...Array.from({ length: 400 }, (_, at) =>
      tableOf(
        `filler_${at}`,
        Array.from({ length: 10 }, (_, column) => `member_${at}_${column}`),
      ),
    ),
    ...tables,
  ],
  keys: [],
  ...more,
});

const isPersonal = (column: string) => column === 'email';
const ground = (knowledge: Knowledge, question: string, turns: { question: string; sql: string }[] = []) =>
  groundingOf(knowledge, { question, turns, isPersonal });
const textOf = (name: string, { data }: ReturnType<typeof ground>) =>
  data.find((one) => one.name === name)?.text;

describe('a short schema', () => {
  test('is included completely, one table per line, with keys, comments and masked columns', () => {
    const grounding = ground(shop, 'Anything at all');
    expect(textOf('schema', grounding)).toBe(
      [
        'public.orders(id int4 key, customer_id int4 -> public.customers.id, total int4) -- What was ordered',
        'view public.customers(id int4 key, email int4 masked)',
      ].join('\n'),
    );
    expect(grounding).toMatchObject({ isWhole: true, tables: ['public.orders', 'public.customers'] });
  });

  test('loses its comments before it loses a table', () => {
    const comment = 'word '.repeat(30).trim();
    const tables = Array.from({ length: 150 }, (_, at) => tableOf(`t_${at}`, ['a', 'b'], { comment }));
    const grounding = ground({ ...shop, tables, keys: [] }, 'Anything');
    expect(grounding.tables).toHaveLength(150);
    expect(textOf('schema', grounding)).not.toContain('word');
  });

  test('of an engine without schemas has unqualified names, and lists keys of several columns at the end of the line', () => {
    const line = { ...tableOf('lines', ['order_id', 'place']), schema: '' };
    const part = { ...tableOf('parts', ['order_id', 'place']), schema: '' };
    const keys = [
      {
        source: { schema: '', table: 'parts', columns: ['order_id', 'place'] },
        target: { schema: '', table: 'lines', columns: ['order_id', 'place'] },
      },
    ];
    expect(textOf('schema', ground({ ...shop, tables: [line, part], keys }, 'x'))).toContain(
      'parts(id int4 key, order_id int4, place int4, (order_id, place) -> lines(order_id, place))',
    );
  });
});

describe('a long schema', () => {
  const invoices = tableOf('invoices', ['customer_id', 'amount']);
  const customers = tableOf('clients', ['full_name']);

  test('contains the tables that the question mentions and the tables one key away', () => {
    const keys = [keyOf('invoices', 'customer_id', 'clients'), keyOf('filler_1', 'id', 'filler_2')];
    const { tables, isWhole } = ground(wide([invoices, customers], { keys }), 'How many invoices are open?');
    expect(isWhole).toBe(false);
    expect(tables).toContain('public.invoices');
    expect(tables).toContain('public.clients');
    expect(tables).not.toContain('public.filler_2');
  });

  test('follows keys in both directions, and no further than one table', () => {
    const keys = [keyOf('lines', 'head_id', 'invoices'), keyOf('deliveries', 'line_id', 'lines')];
    const more = [invoices, tableOf('lines', ['head_id']), tableOf('deliveries', ['line_id'])];
    const { tables } = ground(wide(more, { keys }), 'Total of all invoices');
    expect(tables).toContain('public.lines');
    expect(tables).not.toContain('public.deliveries');
  });

  test('ranks tables higher if similar examples or the terms of the question use them', () => {
    const hidden = tableOf('zz_77', ['v']);
    const question = 'What is our churn?';
    expect(ground(wide([hidden]), question).tables).not.toContain('public.zz_77');
    const examples = [{ id: 1, question: 'Churn of last year', sql: 'select v from ZZ_77' }];
    expect(ground(wide([hidden], { examples }), question).tables).toContain('public.zz_77');
    const target = { schema: 'public', table: 'zz_77', column: 'v' };
    const terms = [
      { term: 'Churn', synonyms: [], definition: 'Those who left', target, metricExpression: null },
    ];
    expect(ground(wide([hidden], { terms }), question).tables).toContain('public.zz_77');
  });

  test.each([1, 60, 900])('stays within its length limit with tables of %i columns', (count) => {
    const columns = Array.from({ length: count }, (_, at) => `änderung_${at}`);
    const many = Array.from({ length: 300 }, (_, at) => tableOf(`invoice_${at}`, columns));
    const schema = textOf('schema', ground(wide(many), 'invoice')) ?? '';
    expect(sentLength(schema)).toBeLessThanOrEqual(schemaLengthMax);
  });
});

const standsForNothing = { target: null, metricExpression: null };

describe('texts besides the schema', () => {
  const term = (at: number, definition: string) => ({
    term: `Term ${at}`,
    synonyms: [],
    definition,
    ...standsForNothing,
  });

  test('contain the complete glossary while it is short', () => {
    const terms = [
      {
        ...term(1, 'One'),
        synonyms: ['First'],
        target: { schema: 'public', table: 'orders', column: 'total' },
        metricExpression: 'sum(total)',
      },
      term(2, 'Two'),
    ];
    expect(
      textOf('glossary', ground({ ...shop, terms }, 'x'))
        ?.split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        term: 'Term 1',
        synonyms: ['First'],
        definition: 'One',
        standsFor: 'public.orders.total',
        metric: 'sum(total)',
      },
      { term: 'Term 2', definition: 'Two' },
    ]);
  });

  test('contain only the terms of a long glossary that the question mentions', () => {
    const filler = Array.from({ length: 100 }, (_, at) => term(at, 'nothing '.repeat(40)));
    const wanted = {
      term: 'Net revenue',
      synonyms: ['turnover'],
      definition: 'Without tax',
      ...standsForNothing,
    };
    const text = textOf('glossary', ground({ ...shop, terms: [...filler, wanted] }, 'Turnover of May')) ?? '';
    expect(text).toContain('Net revenue');
    expect(sentLength(text)).toBeLessThanOrEqual(glossaryLengthMax);
    expect(text.split('\n').length).toBeLessThanOrEqual(12);
  });

  test('contain the four most similar examples, and no dissimilar example', () => {
    const examples = Array.from({ length: 9 }, (_, id) => ({
      id,
      question: id === 8 ? 'Something else' : `Orders of week ${id}`,
      sql: `select ${id}`,
    }));
    const grounding = ground({ ...shop, examples }, 'Orders of a week');
    expect(grounding.similar).toHaveLength(4);
    expect(textOf('examples', grounding)).not.toContain('Something else');
  });

  test('contain the last three turns, oldest first', () => {
    const turns = [1, 2, 3, 4].map((at) => ({ question: `Question ${at}`, sql: `select ${at}` }));
    const earlier = textOf('earlier', ground(shop, 'x', turns)) ?? '';
    expect(earlier.split('\n').map((line) => JSON.parse(line).question)).toEqual([
      'Question 2',
      'Question 3',
      'Question 4',
    ]);
  });

  test('omit the sections without content', () => {
    expect(ground(shop, 'x').data.map(({ name }) => name)).toEqual(['engine', 'schema']);
  });
});
