import type { Column } from '@svc/connectors';
import { describe, expect, it } from 'vitest';
import { createKeyRing } from '../../../platform/crypto/index.ts';
import { createCellForms } from './cell-forms.ts';
import { createFingerprinter } from './fingerprints.ts';
import { uniqueColumns } from './result-columns.ts';
import { tabularColumns } from './tabular-columns.ts';

const columns: readonly Pick<Column, 'kind' | 'databaseType' | 'isLoose'>[] = [
  { kind: 'integer', databaseType: 'bigint' },
  { kind: 'integer', databaseType: 'integer' },
  { kind: 'decimal', databaseType: 'numeric' },
  { kind: 'float', databaseType: 'double precision' },
  { kind: 'integer', databaseType: 'integer', isLoose: true },
  { kind: 'text', databaseType: 'any', isLoose: true },
];
const batch = {
  rowCount: 2,
  columns: [
    [1, '9223372036854775807'],
    [1, null],
    ['1.10', 'NaN'],
    [1.5, 'NaN'],
    [1, 1.5],
    ['a', 2],
  ],
};

describe('cells of a result', () => {
  it('have one JSON type in each column', () => {
    expect(createCellForms(columns).leaving(batch).columns).toEqual([
      ['1', '9223372036854775807'],
      [1, null],
      ['1.10', 'NaN'],
      [1.5, 'NaN'],
      ['1', '1.5'],
      ['a', '2'],
    ]);
  });

  it.each([
    'bigint',
    'bigint unsigned',
    'hugeint',
    'ubigint',
    'UInt64',
    'Nullable(Int64)',
    'INT64',
    'NUMBER(38,0)',
    'decimal(16,0)',
    'bit(64)',
    'json integer',
    'a type of a later version',
  ])('are texts for integers of type %s', (databaseType) => {
    const { columns: cells } = createCellForms([{ kind: 'integer', databaseType }]).leaving({
      rowCount: 1,
      columns: [[1]],
    });
    expect(cells).toEqual([['1']]);
  });

  it.each([
    'smallint',
    'int unsigned',
    'oid',
    'UInt32',
    'LowCardinality(Nullable(Int8))',
    'NUMBER(9,0)',
    'DECIMAL(15, 0)',
    'bit(1)',
    'tinyint',
    'uinteger',
  ])('are numbers for integers of type %s', (databaseType) => {
    const { columns: cells } = createCellForms([{ kind: 'integer', databaseType }]).leaving({
      rowCount: 1,
      columns: [[1]],
    });
    expect(cells).toEqual([[1]]);
  });
});

it('columns that may contain texts in later rows are text columns in files, to prevent formulas', () => {
  const loose = { name: 'n', kind: 'integer', databaseType: 'integer', isLoose: true } as const;
  expect(tabularColumns(uniqueColumns([loose, { ...loose, isLoose: false }]))).toEqual([
    { name: 'n', isText: true, isNumeric: true },
    { name: 'n_2', isText: false, isNumeric: true },
  ]);
});

it('rows have the same fingerprints as before decimals retained their scale', () => {
  const ring = createKeyRing({ encryptionKey: 'the encryption key of the tests, 0123456789' });
  const request = { domain: 7, keyColumns: null, watchedColumns: null, routeColumn: 'd' };
  const fingerprinter = createFingerprinter(ring, request, [{ name: 'b' }, { name: 'd' }]);
  const forms = createCellForms([
    { kind: 'integer', databaseType: 'bigint' },
    { kind: 'decimal', databaseType: 'numeric' },
  ]);
  const before = {
    rowCount: 3,
    columns: [
      [1, 2, '9223372036854775807'],
      [1.1, 5, '12345678901234567.10'],
    ],
  };
  const now = {
    rowCount: 3,
    columns: [
      [1, 2, '9223372036854775807'],
      ['1.10', '5.00', '12345678901234567.10'],
    ],
  };
  expect(fingerprinter.of(forms.fingerprinted(now))).toEqual(fingerprinter.of(before));
});
