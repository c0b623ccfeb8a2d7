import { expect, test } from 'vitest';
import { errorsPage } from './errors-page.ts';

test('every row of the errors page has text in each cell', () => {
  const rows = errorsPage()
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((line) => /\|\s*\|/.test(line))).toEqual([]);
});
