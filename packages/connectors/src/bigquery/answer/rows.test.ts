import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../../error.ts';
import type { Cell } from '../../values.ts';
import { readRow } from './rows.ts';
import { type BigQueryField, bigqueryKind, readSchema } from './schema.ts';

const limits = { maxCellBytes: 1_000 };

function schemaOf(...fields: readonly object[]): readonly BigQueryField[] {
  const schema = readSchema({ fields });
  if (!schema) throw new Error('It is no schema.');
  return schema;
}

function cellOf(field: object, v: unknown, options: { decimalsAsText?: boolean } = {}): Cell | undefined {
  return rowOf({ f: [{ v }] }, schemaOf({ name: 'a', ...field }), options)[0];
}

function rowOf(
  row: unknown,
  fields: readonly BigQueryField[],
  options: { decimalsAsText?: boolean } = {},
): Cell[] {
  return readRow(JSON.stringify(row), fields, { ...limits, ...options });
}

const code = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    return error instanceof ConnectorError ? error.code : `not a connector's error: ${String(error)}`;
  }
  return 'none';
};

describe('values of BigQuery', () => {
  it.each<[type: string, text: string, cell: Cell]>([
    ['INTEGER', '-1', -1],
    ['INT64', '9223372036854775807', '9223372036854775807'],
    ['FLOAT', '0.1', 0.1],
    ['FLOAT64', '1.0E+20', 1e20],
    ['FLOAT64', 'NaN', 'NaN'],
    ['FLOAT64', '-Infinity', '-Infinity'],
    ['BOOLEAN', 'true', true],
    ['BOOL', 'false', false],
    ['NUMERIC', '9.5', 9.5],
    ['NUMERIC', '99999999999999999999999999999.999999999', '99999999999999999999999999999.999999999'],
    ['BIGNUMERIC', '0.12345678901234567890123456789012345678', '0.12345678901234567890123456789012345678'],
    ['STRING', '{"a"}', '{"a"}'],
    ['BYTES', '3q2+7w==', 'deadbeef'],
    ['DATE', '2024-02-29', '2024-02-29'],
    ['TIME', '23:59:59.999999', '23:59:59.999999'],
    ['DATETIME', '2024-02-29T12:00:00.5', '2024-02-29T12:00:00.5'],
    ['TIMESTAMP', '0', '1970-01-01T00:00:00Z'],
    ['TIMESTAMP', '-1', '1969-12-31T23:59:59.999999Z'],
    ['TIMESTAMP', '1700000000000001', '2023-11-14T22:13:20.000001Z'],
    ['TIMESTAMP', '-62135596800000000', '0001-01-01T00:00:00Z'],
    ['TIMESTAMP', '253402300799999999', '9999-12-31T23:59:59.999999Z'],
    ['INTERVAL', '1-2 3 4:5:6.789', '1-2 3 4:5:6.789'],
    ['JSON', '{"n":12345678901234567890}', '{"n":12345678901234567890}'],
    ['GEOGRAPHY', 'POINT(1 2)', 'POINT(1 2)'],
    ['RANGE', '[2024-01-01, UNBOUNDED)', '[2024-01-01, UNBOUNDED)'],
  ])('of the type %s are read exactly: %s', (type, text, cell) => {
    expect(cellOf({ type }, text)).toBe(cell);
    expect(cellOf({ type }, null)).toBeNull();
  });

  it('are decimals as text if the caller requests it', () => {
    expect(cellOf({ type: 'NUMERIC' }, '1.50', { decimalsAsText: true })).toBe('1.50');
  });

  it('are JSON for lists and structs, with every digit and in the order of the fields', () => {
    const item = {
      name: 'items',
      type: 'RECORD',
      mode: 'REPEATED',
      fields: [
        { name: 'z', type: 'INTEGER' },
        { name: '__proto__', type: 'NUMERIC' },
        { name: '1', type: 'FLOAT' },
        { name: 'at', type: 'TIMESTAMP', mode: 'REPEATED' },
        { name: 'doc', type: 'JSON' },
        { name: 'none', type: 'STRING' },
      ],
    };
    const value = [
      {
        v: {
          f: [
            { v: '9223372036854775807' },
            { v: '0.10000000000000000001' },
            { v: 'NaN' },
            { v: [{ v: '0' }] },
            { v: '[1.10]' },
            { v: null },
          ],
        },
      },
    ];
    expect(cellOf(item, value)).toBe(
      '[{"z":9223372036854775807,"__proto__":0.10000000000000000001,"1":"NaN","at":["1970-01-01T00:00:00Z"],"doc":[1.10],"none":null}]',
    );
    expect(cellOf({ type: 'INTEGER', mode: 'REPEATED' }, [])).toBe('[]');
    expect(schemaOf(item).map(bigqueryKind)).toEqual(['json']);
  });

  it.each<[type: string, value: unknown]>([
    ['INTEGER', 1],
    ['INTEGER', '01'],
    ['INTEGER', '1.0'],
    ['FLOAT', '1,5'],
    ['FLOAT', 'nan'],
    ['BOOLEAN', 'TRUE'],
    ['NUMERIC', '1e5'],
    ['BYTES', 'abc'],
    ['BYTES', '#'],
    ['DATE', 'today'],
    ['TIMESTAMP', '1.7E9'],
    ['TIMESTAMP', '253402300800000000'],
    ['TIMESTAMP', '-62135596800000001'],
    ['JSON', '{'],
    ['STRING', { f: [] }],
    ['STRING', undefined],
  ])('are refused if they do not match their type: %s %j', (type, value) => {
    expect(code(() => cellOf({ type }, value))).toBe('connection-lost');
  });

  it('are refused in rows that do not match the schema, or if they are too large', () => {
    const schema = schemaOf({ name: 'a', type: 'STRING' });
    for (const row of [
      null,
      [],
      {},
      { f: [] },
      { f: [{ v: '1' }, { v: '2' }] },
      { f: ['1'] },
      { f: { v: '1' } },
    ])
      expect(code(() => rowOf(row, schema))).toBe('connection-lost');
    for (const text of ['{', '{"f":[{"v":"\n"}]}', '{"f":[{"v":"\\x"}]}', ''])
      expect(code(() => readRow(text, schema, limits))).toBe('connection-lost');
    expect(code(() => rowOf({ f: [{ v: 'é'.repeat(501) }] }, schema))).toBe('value-too-large');
    expect(rowOf({ f: [{ v: 'é'.repeat(500) }] }, schema)).toHaveLength(1);
  });

  it('are refused with an invalid schema', () => {
    const nested = (depth: number): object =>
      depth === 0
        ? { name: 'a', type: 'STRING' }
        : { name: 'a', type: 'STRUCT', fields: [nested(depth - 1)] };
    expect(readSchema({ fields: [nested(15)] })).toHaveLength(1);
    const column = { name: 'a', type: 'STRING' };
    for (const schema of [
      undefined,
      { fields: {} },
      { fields: [] },
      { fields: [{ name: 'a' }] },
      { fields: [{ ...column, mode: 'SOMETIMES' }] },
      { fields: [{ name: 'a', type: 'RECORD' }] },
      { fields: [nested(16)] },
      { fields: Array.from({ length: 10_001 }, () => column) },
    ])
      expect(readSchema(schema)).toBeUndefined();
  });

  it('in 10,000 hostile responses result in rows or a connector error', () => {
    const type = fc.constantFrom('INTEGER', 'FLOAT', 'NUMERIC', 'BYTES', 'TIMESTAMP', 'JSON', 'STRUCT', 'X');
    const field = fc.record({
      name: fc.string(),
      type,
      mode: fc.constantFrom('NULLABLE', 'REPEATED'),
      fields: fc.constant([{ name: 'b', type: 'INTEGER' }]),
    });
    const scalar = fc.oneof(fc.string(), fc.bigInt().map(String), fc.constant('1'), fc.jsonValue());
    const value = fc.oneof(
      scalar,
      fc.array(fc.record({ v: scalar })),
      scalar.map((v) => ({ f: [{ v }] })),
    );
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(
        field,
        fc.oneof(
          value.map((v) => ({ f: [{ v }] })),
          fc.jsonValue(),
        ),
        (one, row) => {
          const outcome = code(() => rowOf(row, schemaOf(one)));
          outcomes.add(outcome);
          expect(['none', 'connection-lost', 'value-too-large']).toContain(outcome);
        },
      ),
      { numRuns: 10_000 },
    );
    expect([...outcomes]).toEqual(expect.arrayContaining(['none', 'connection-lost']));
  });
});
