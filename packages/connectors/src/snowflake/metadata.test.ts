import { describe, expect, it } from 'vitest';
import { useSnowflake } from './testing/service.ts';

const { connector, connectionOf, optionsOf } = useSnowflake();

describe('Snowflake metadata', () => {
  it('contains schemas, tables, columns and keys as in the database', async () => {
    const { dial, signal, timeoutMs } = optionsOf();
    const metadata = await connector().readMetadata(connectionOf(), { dial, signal, timeoutMs });
    expect(metadata).toMatchObject({
      schemas: ['PUBLIC', 'sales'],
      areTablesCut: false,
      areColumnsCut: false,
    });
    expect(metadata.tables).toMatchObject([
      {
        schema: 'PUBLIC',
        name: 'CUSTOMERS',
        type: 'Table',
        comment: 'Who buys',
        primaryKey: ['ID'],
        columns: [
          { name: 'ID', databaseType: 'NUMBER(38,0)', isNullable: false, comment: 'Its number' },
          { name: 'EMAIL', databaseType: 'VARCHAR(200)', isNullable: true },
        ],
      },
      {
        name: 'ORDERS',
        primaryKey: ['ID', 'LINE'],
        foreignKeys: [
          {
            name: 'FK_CUSTOMER',
            columns: ['CUSTOMER_ID'],
            toSchema: 'PUBLIC',
            toTable: 'CUSTOMERS',
            toColumns: ['ID'],
          },
        ],
        columns: [{}, {}, {}, { databaseType: 'TIMESTAMP_NTZ(9)', defaultValue: 'CURRENT_TIMESTAMP()' }],
      },
      { schema: 'sales', name: 'recent orders', type: 'View', columns: [{ databaseType: 'VARIANT' }] },
    ]);
  });

  it('omits excluded objects and reports whether a limit was reached', async () => {
    const { dial, signal, timeoutMs } = optionsOf();
    const read = (change: object) =>
      connector().readMetadata(connectionOf(), { dial, signal, timeoutMs, ...change });
    expect((await read({ excludeSchemas: ['public'] })).tables.map(({ name }) => name)).toEqual([
      'recent orders',
    ]);
    expect(await read({ maxTables: 1, tableNamesOnly: true })).toMatchObject({
      areTablesCut: true,
      tables: [{ name: 'CUSTOMERS', columns: [], primaryKey: [] }],
    });
    expect(await read({ maxColumnsPerTable: 1 })).toMatchObject({ areColumnsCut: true });
  });
});
