import { describe, expect, it } from 'vitest';
import { useDatabricks } from './testing/service.ts';

const { connector, connectionOf, optionsOf } = useDatabricks();

describe('Databricks metadata', () => {
  it('contains schemas, tables, columns and keys as in the catalog', async () => {
    const { dial, signal, timeoutMs } = optionsOf();
    const metadata = await connector().readMetadata(connectionOf(), { dial, signal, timeoutMs });
    expect(metadata).toMatchObject({
      schemas: ['default', 'sales'],
      areTablesCut: false,
      areColumnsCut: false,
    });
    expect(metadata.tables).toMatchObject([
      {
        schema: 'default',
        name: 'recent orders',
        type: 'View',
        columns: [{ databaseType: 'struct<eMail:string,n:int>' }],
      },
      {
        schema: 'sales',
        name: 'customers',
        type: 'Table',
        comment: 'Who buys',
        primaryKey: ['id'],
        columns: [
          { name: 'id', databaseType: 'BIGINT', isNullable: false, comment: 'Its number' },
          { name: 'email', databaseType: 'VARCHAR(200)', isNullable: true },
        ],
      },
      {
        name: 'orders',
        primaryKey: ['id', 'line'],
        foreignKeys: [
          {
            name: 'orders_customer_fk',
            columns: ['customer_id'],
            toSchema: 'sales',
            toTable: 'customers',
            toColumns: ['id'],
          },
        ],
        columns: [{}, {}, {}, { databaseType: 'TIMESTAMP_NTZ', defaultValue: 'current_timestamp()' }],
      },
    ]);
  });

  it('omits excluded objects and reports whether a limit was reached', async () => {
    const { dial, signal, timeoutMs } = optionsOf();
    const read = (change: object) =>
      connector().readMetadata(connectionOf(), { dial, signal, timeoutMs, ...change });
    expect((await read({ excludeSchemas: ['SALES'] })).tables.map(({ name }) => name)).toEqual([
      'recent orders',
    ]);
    expect(await read({ maxTables: 1, tableNamesOnly: true })).toMatchObject({
      areTablesCut: true,
      tables: [{ name: 'recent orders', columns: [], primaryKey: [] }],
    });
    expect(await read({ maxColumnsPerTable: 1 })).toMatchObject({ areColumnsCut: true });
  });
});
