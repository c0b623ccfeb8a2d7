import { describe, expect, it } from 'vitest';
import { useSqlserver } from './testing/service.ts';

const { connector, connectionOf, optionsOf } = useSqlserver();

describe('SQL Server metadata', () => {
  it('contains tables, views, types, keys, indexes and descriptions', async () => {
    const { schemas, tables } = await connector.readMetadata(connectionOf(), optionsOf());
    expect(schemas).toEqual(['dbo', 'sales']);
    expect(tables.map(({ schema, name, type, comment }) => [schema, name, type, comment])).toEqual([
      ['dbo', 'customers', 'Table', 'Who buys.'],
      ['dbo', 'orders', 'Table', null],
      ['sales', 'recent orders', 'View', null],
    ]);
    expect(tables[0]?.columns).toEqual([
      { name: 'id', databaseType: 'int', isNullable: false, defaultValue: null, comment: null },
      {
        name: 'email',
        databaseType: 'nvarchar(200)',
        isNullable: false,
        defaultValue: null,
        comment: 'Where to write.',
      },
      {
        name: 'name',
        databaseType: 'nvarchar(max)',
        isNullable: true,
        defaultValue: "(N'nobody')",
        comment: null,
      },
    ]);
    expect(tables[1]?.columns.map(({ databaseType }) => databaseType)).toEqual([
      'bigint',
      'int',
      'varchar(20)',
      'decimal(38,10)',
      'datetime2(7)',
    ]);
    expect(tables[1]).toMatchObject({
      primaryKey: ['id'],
      foreignKeys: [
        {
          name: 'FK_orders_customers',
          columns: ['customer_id'],
          toSchema: 'dbo',
          toTable: 'customers',
          toColumns: ['id'],
        },
      ],
      indexes: [
        { name: 'PK_orders', isUnique: true, isPrimary: true, columns: ['id'] },
        { name: 'IX_orders_status', isUnique: false, isPrimary: false, columns: ['status', 'placed'] },
      ],
    });
  });

  it('is cut at its limits, and omits excluded schemas', async () => {
    const options = { ...optionsOf(), maxTables: 1, maxColumnsPerTable: 2, excludeSchemas: ['SALES'] };
    const cut = await connector.readMetadata(connectionOf(), options);
    expect(cut).toMatchObject({ schemas: ['dbo'], areTablesCut: true, areColumnsCut: true });
    expect(cut.tables.map(({ columns }) => columns.length)).toEqual([2]);
    const names = await connector.readMetadata(connectionOf(), { ...optionsOf(), tableNamesOnly: true });
    expect(names.tables.flatMap(({ columns }) => columns)).toEqual([]);
  });
});
