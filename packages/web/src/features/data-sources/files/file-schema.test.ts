import { describe, expect, it } from 'vitest';
import { atPath, formatOf, givenType, hasTypes, settingsOf, withSetting, withType } from './file-schema.ts';

const schema = {
  properties: {
    name: { type: 'string' },
    path: { type: 'string', 'x-formats-by-ending': { '.csv': 'csv', '.xlsx': 'xlsx' } },
    delimiter: { type: 'string', title: 'Delimiter', 'x-formats': ['csv'] },
    hasHeader: { type: 'boolean', title: 'Header', 'x-formats': ['csv', 'xlsx'] },
    types: { type: 'array', items: { type: 'object' }, 'x-formats': ['csv', 'xlsx'] },
    sheet: { type: 'string', title: 'Sheet', 'x-formats': ['xlsx'] },
  },
};

describe('settings of a file', () => {
  it('depend on the format of its file extension, in upper or lower case', () => {
    expect(formatOf(schema, '/data/Orders.CSV')).toBe('csv');
    expect(formatOf(schema, '/data/orders')).toBeUndefined();
    expect(formatOf(schema, '/data.csv/orders')).toBeUndefined();
    expect(settingsOf(schema, 'csv').map(([name]) => name)).toEqual(['delimiter', 'hasHeader']);
    expect(settingsOf(schema, 'xlsx').map(([name]) => name)).toEqual(['hasHeader', 'sheet']);
    expect(settingsOf(schema, undefined)).toEqual([]);
    expect([hasTypes(schema, 'csv'), hasTypes(schema, undefined)]).toEqual([true, false]);
  });

  it('are dropped if the new path has another format', () => {
    const file = { name: 'orders', path: '/data/orders.csv', delimiter: ';', hasHeader: true };
    expect(atPath(schema, file, '/data/orders.xlsx')).toEqual({
      name: 'orders',
      path: '/data/orders.xlsx',
      hasHeader: true,
    });
    expect(atPath(schema, file, '/data/orders.')).toEqual({ ...file, path: '/data/orders.' });
  });

  it('are omitted if they are detected automatically', () => {
    const file = { name: 'orders', path: '/data/orders.csv' };
    expect(withSetting(withSetting(file, 'delimiter', ';'), 'delimiter', '')).toEqual(file);
    expect(withSetting(file, 'hasHeader', false)).toEqual({ ...file, hasHeader: false });
    const typed = withType(withType(file, 'id', 'VARCHAR'), 'id', 'BIGINT');
    expect(typed).toEqual({ ...file, types: [{ column: 'id', type: 'BIGINT' }] });
    expect([givenType(typed, 'id'), givenType(typed, 'name')]).toEqual(['BIGINT', undefined]);
    expect(withType(typed, 'id', null)).toEqual(file);
  });
});
