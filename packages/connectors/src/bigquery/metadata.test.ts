import { describe, expect, it } from 'vitest';
import { useBigQuery } from './testing/service.ts';

const { server, connector, connection, options } = useBigQuery();

describe('BigQuery metadata', () => {
  it('contains datasets of the location, with their tables, columns and keys', async () => {
    const metadata = await connector.readMetadata(connection(), options());
    expect(metadata).toMatchObject({ schemas: ['shop'], areTablesCut: false, areColumnsCut: false });
    expect(metadata.tables).toMatchObject([
      { name: 'customers', type: 'Table', comment: 'Who "buys".', primaryKey: ['id'], foreignKeys: [] },
      {
        name: 'orders',
        comment: null,
        primaryKey: ['id'],
        foreignKeys: [
          {
            name: 'fk$1',
            columns: ['customer_id'],
            toSchema: 'shop',
            toTable: 'customers',
            toColumns: ['id'],
          },
        ],
      },
      { name: 'recent', type: 'View' },
    ]);
    expect(metadata.tables[0]?.columns).toEqual([
      { name: 'id', databaseType: 'INT64', isNullable: false, defaultValue: null, comment: null },
      {
        name: 'email',
        databaseType: 'STRING',
        isNullable: true,
        defaultValue: null,
        comment: 'Where mail goes.',
      },
      { name: 'name', databaseType: 'STRING', isNullable: true, defaultValue: "'nobody'", comment: null },
    ]);
  });

  it('is read from every location if the connection has none', async () => {
    const metadata = await connector.readMetadata(connection({ location: '' }), options());
    expect(metadata.schemas).toEqual(['archive', 'shop']);
    expect(metadata.tables.map(({ schema, name }) => `${schema}.${name}`)).toEqual([
      'archive.old',
      'shop.customers',
      'shop.orders',
      'shop.recent',
    ]);
  });

  it('respects excluded schemas, names only and the table limit', async () => {
    const names = await connector.readMetadata(connection({ location: '' }), {
      ...options(),
      excludeSchemas: ['ARCHIVE'],
      tableNamesOnly: true,
      maxTables: 2,
    });
    expect(names).toMatchObject({ schemas: ['shop'], areTablesCut: true });
    expect(names.tables.map(({ name, columns }) => [name, columns])).toEqual([
      ['customers', []],
      ['orders', []],
    ]);
  });

  it('is cut at the column limit', async () => {
    const texts = [
      'table_schema',
      'table_name',
      'column_name',
      'data_type',
      'is_nullable',
      'default',
      'comment',
    ];
    const columnAt = (at: number) => ['shop', 'orders', `c${at}`, 'INT64', 'YES', null, null, String(at)];
    server().service.give(/INFORMATION_SCHEMA\.COLUMNS/, {
      fields: [...texts.map((name) => ({ name, type: 'STRING' })), { name: 'at', type: 'INTEGER' }],
      rows: Array.from({ length: 150_000 }, (_row, at) => columnAt(at)),
    });
    const metadata = await connector.readMetadata(connection(), { ...options(), timeoutMs: 100_000 });
    const orders = metadata.tables.find(({ name }) => name === 'orders');
    expect(orders?.columns.length).toBeGreaterThan(0);
    expect(metadata.areColumnsCut).toBe(true);
  });
});
