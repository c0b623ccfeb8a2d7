import { expect, test } from 'vitest';
import { keyColumns } from './key-columns.tsx';

test('the list of keys shows every column of the specification by default, in its order', () => {
  const shown = keyColumns.filter(({ isExtra }) => isExtra !== true).map(({ label }) => label);
  expect(shown).toEqual([
    'Name',
    'Prefix',
    'Scopes',
    'Projects',
    'Created',
    'Last used',
    'Expires',
    'Status',
  ]);
});
