import { problemCodes } from '@svc/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallAnswer, type McpFixture, startMcpFixture } from './testing/fixture.ts';

let fixture: McpFixture;
let key: string;
const textOf = (answer: CallAnswer): string => answer.content.map(({ text }) => text).join('');
const call = (name: string, args: object = {}) => fixture.call(key, name, args);

async function refresh(): Promise<void> {
  // A forced refresh is limited to one in 30 s.
  await fixture.svc.database.query('update svc.data_sources set metadata_refresh_asked_at = null');
  const source = `/svc/api/data-sources/${fixture.salesSource}`;
  const { status, text } = await fixture.root.post(`${source}/refresh-metadata`);
  expect(status, text).toBe(200);
}

beforeAll(async () => {
  fixture = await startMcpFixture();
  key = (await fixture.key([fixture.sales])).authorization;
});
afterAll(() => fixture?.close());

describe('get_documentation', () => {
  const notes = () => `/svc/api/projects/${fixture.sales}/documentation/Notes`;
  const lines = Array.from({ length: 300 }, (_, at) => `Line ${at} of what people know.`);

  test('states that the project has no documentation yet', async () => {
    const answer = await call('get_documentation');
    expect(answer.structuredContent).toMatchObject({ sections: [], text: '', nextOffset: null });
    expect(textOf(answer)).toContain('has no documentation yet');
  });

  test('returns the sections and their complete text in parts that end at a line break', async () => {
    const content = lines.join('\n');
    expect((await fixture.root.put(notes(), { content })).status).toBe(200);
    let text = '';
    let parts = 0;
    for (let offset: number | null = 0; offset !== null; parts += 1) {
      const { structuredContent } = await call('get_documentation', { offset, max_chars: 1_000 });
      expect(structuredContent.text.length).toBeLessThanOrEqual(1_000);
      if (structuredContent.nextOffset !== null) expect(structuredContent.text.endsWith('\n')).toBe(true);
      text += structuredContent.text;
      offset = structuredContent.nextOffset;
    }
    expect(parts).toBeGreaterThan(5);
    expect(text).toBe(`## Notes\n\n${content}`);
    const section = await call('get_documentation', { section: 'Notes', max_chars: 30_000 });
    expect(section.structuredContent).toMatchObject({
      project: { id: fixture.sales, name: 'Sales' },
      nextOffset: null,
      text,
      sections: [{ kind: 'Notes', provenance: 'Person', length: content.length, generatedAt: null }],
    });
  });

  test('returns 8,000 characters by default, and refuses to return more than 30,000', async () => {
    const { structuredContent } = await call('get_documentation');
    expect(structuredContent.text.length).toBeGreaterThan(7_900);
    expect(structuredContent.text.length).toBeLessThanOrEqual(8_000);
    expect((await call('get_documentation', { max_chars: 30_001 })).isError).toBe(true);
  });

  test('returns no text for an offset after the end', async () => {
    const { structuredContent } = await call('get_documentation', { offset: 1_000_000 });
    expect(structuredContent).toMatchObject({ text: '', nextOffset: null });
  });

  test('returns columns, relationships, contracts and code references of a table', async () => {
    await refresh();
    const rules = [{ name: 'Total is there', type: 'NullRate', columns: ['total'], config: {} }];
    const contract = await fixture.root.post('/svc/api/data-quality/contracts', {
      projectId: fixture.sales,
      dataSourceId: fixture.salesSource,
      name: 'Orders hold',
      schemaName: 'public',
      tableName: 'orders',
      rules,
    });
    expect(contract.status, contract.text).toBe(201);
    const { database } = fixture.svc;
    await database.query(
      `with r as (insert into svc.repositories (project_id, url, branch) values ($1, 'https://git.example.com/shop.git', 'main')
         returning id)
       insert into svc.code_references (repository_id, path, line, table_name, kind)
         select id, 'src/orders.ts', line, 'orders', 'RawSql' from r, unnest(array[3, 9]) line`,
      [fixture.sales],
    );
    const { structuredContent } = await call('get_documentation', { table: 'orders' });
    expect(structuredContent).toMatchObject({
      text: null,
      nextOffset: null,
      table: {
        dataSourceId: fixture.salesSource,
        table: 'public.orders',
        primaryKey: ['id'],
        relationships: [
          {
            fromTable: 'public.orders',
            fromColumns: ['customer_id'],
            toTable: 'public.customers',
            toColumns: ['id'],
            isVerified: true,
          },
        ],
        contracts: [
          {
            name: 'Orders hold',
            lastStatus: null,
            lastScore: null,
            rules: [{ name: 'Total is there', type: 'NullRate', columns: ['total'] }],
          },
        ],
        code: [{ repository: 'shop', path: 'src/orders.ts', kind: 'RawSql', lineCount: 2 }],
      },
    });
    const customers = await call('get_documentation', { table: 'customers' });
    expect(customers.structuredContent.table).toMatchObject({
      relationships: [{ fromTable: 'public.orders' }],
      contracts: [],
      code: [],
    });
    const email = customers.structuredContent.table.columns.find(
      ({ name }: { name: string }) => name === 'email',
    );
    expect(email.isMasked).toBe(true);
  });

  test('returns no records of another project about the same table', async () => {
    const staffKey = (await fixture.key([fixture.staff])).authorization;
    const { structuredContent } = await fixture.call(staffKey, 'get_documentation', { table: 'orders' });
    expect(structuredContent).toMatchObject({ sections: [], table: { contracts: [], code: [] } });
  });

  test.each([
    ['a section without text', { section: 'DataFlows' }, problemCodes['unknown-section'].next],
    ['an unknown section', { section: 'Secrets' }, problemCodes['invalid-arguments'].next],
    ['a missing table', { table: 'nothing' }, problemCodes['unknown-table'].next],
    ['a missing data source', { table: 'orders', data_source: 999 }, 'It has'],
    ['a table together with a section', { table: 'orders', section: 'Notes' }, 'do not go with table'],
    ['a data source without a table', { data_source: 1 }, 'data_source goes with table only'],
  ])('refuses %s', async (_, args, message) => {
    const answer = await call('get_documentation', args);
    expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringContaining(message)]);
  });
});

describe('get_query_context', () => {
  const about = (question: string, more: object = {}) => call('get_query_context', { question, ...more });
  type Part = { name: string; text: string };
  const partOf = (answer: CallAnswer, partName: string): string =>
    answer.structuredContent.parts.find(({ name }: Part) => name === partName)?.text ?? '';

  test('returns tables with keys and masked columns, terms, examples and learned patterns, and no rows', async () => {
    const place = { projectId: fixture.sales, dataSourceId: fixture.salesSource };
    const sql = 'select sum(total) from orders';
    const golden = { ...place, question: 'What did we sell in total?', sql };
    expect((await fixture.root.post('/svc/api/eval/golden', golden)).status).toBe(201);
    const term = { projectId: fixture.sales, term: 'Buyer', definition: 'Whoever has an order' };
    expect((await fixture.root.post('/svc/api/glossary', term)).status).toBe(201);
    const answer = await about('How much did we sell to each buyer?');
    expect(answer.structuredContent).toMatchObject({
      dataSourceId: fixture.salesSource,
      dataSource: 'Shop',
      engine: 'PostgreSQL',
      isWholeSchema: true,
      isCut: false,
    });
    expect(partOf(answer, 'schema')).toContain('customer_id integer -> public.customers.id');
    expect(partOf(answer, 'schema')).toContain('email text masked');
    expect(partOf(answer, 'glossary')).toContain('Whoever has an order');
    expect(partOf(answer, 'examples')).toContain(sql);
    expect(JSON.stringify(answer)).not.toContain('Customer 7');
  });

  test('returns the tables that match the question best if not all tables fit', async () => {
    const tables = Array.from(
      { length: 60 },
      (_, at) => `create table filler_${at} (id int, ${'x'.repeat(30)}_${at} text)`,
    );
    await fixture.watched.query(tables.join(';'));
    await refresh();
    const answer = await about('What is the total of the orders?', { max_chars: 1_000 });
    expect(answer.structuredContent.isWholeSchema).toBe(false);
    expect(partOf(answer, 'schema').split('\n')[0]).toContain('public.orders(');
    const length = answer.structuredContent.parts.reduce(
      (sum: number, { text }: Part) => sum + text.length,
      0,
    );
    expect(length).toBeLessThanOrEqual(1_000);
  });

  test('reports that lines did not fit', async () => {
    const definition = 'What it means. '.repeat(100);
    const term = { projectId: fixture.sales, term: 'Long', definition };
    expect((await fixture.root.post('/svc/api/glossary', term)).status).toBe(201);
    const answer = await about('What is long?', { max_chars: 1_000 });
    expect(answer.structuredContent.isCut).toBe(true);
    expect(textOf(answer)).toContain('Not everything fitted');
  });

  test.each([
    ['a blank question', { question: '  ' }],
    ['a question of 4,001 characters', { question: 'x'.repeat(4_001) }],
    ['a limit above the maximum length', { question: 'x', max_chars: 30_001 }],
    ['a missing data source', { question: 'x', data_source: 999 }],
  ])('refuses %s', async (_, args) => {
    expect((await call('get_query_context', args)).isError).toBe(true);
  });
});
