import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { csvOf } from '../../../platform/tabular/index.ts';
import { tabularColumns } from './tabular-columns.ts';

test('a CSV file has a negative infinity bare in a column of numbers, and with an apostrophe in a column of texts', async () => {
  const columns = tabularColumns([
    { name: 'loose', kind: 'float', databaseType: 'REAL', isLoose: true },
    { name: 'whole', kind: 'integer', databaseType: 'INTEGER', isLoose: true },
    { name: 'exact', kind: 'float', databaseType: 'double precision' },
    { name: 'text', kind: 'text', databaseType: 'TEXT', isLoose: true },
  ]);
  const cells = ['-Infinity', '-1+1', 'Infinity', 'NaN'];
  async function* batches() {
    yield { rowCount: cells.length, columns: [cells, cells, cells.with(1, 'NaN'), cells] };
  }
  expect((await text(csvOf(columns, batches()))).split('\r\n').slice(1, -1)).toEqual([
    "-Infinity,-Infinity,-Infinity,'-Infinity",
    "'-1+1,'-1+1,NaN,'-1+1",
    'Infinity,Infinity,Infinity,Infinity',
    'NaN,NaN,NaN,NaN',
  ]);
});
