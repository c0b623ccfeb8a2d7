import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf, pageRequest } from './paging.ts';

const requestOf = (page: number, pageSize: number) =>
  pageRequest(
    { page: String(page), pageSize: String(pageSize) },
    { sortable: {}, byDefault: '', unique: 'id' },
  );

test.each([
  ['the count if nothing changed', { rows: 20, counted: 45, page: 1 }, { total: 45, pages: 3 }],
  ['the count on the last page', { rows: 5, counted: 45, page: 2 }, { total: 45, pages: 3 }],
  [
    'the rows of the page if rows were added after the count',
    { rows: 3, counted: 1, page: 0 },
    { total: 3, pages: 1 },
  ],
  [
    'the rows of a full page if rows were added after the count',
    { rows: 20, counted: 19, page: 0 },
    { total: 20, pages: 1 },
  ],
  [
    'the rows of the page if rows were deleted after the count',
    { rows: 2, counted: 30, page: 0 },
    { total: 2, pages: 1 },
  ],
  ['0 if all rows were deleted after the count', { rows: 0, counted: 3, page: 0 }, { total: 0, pages: 0 }],
  [
    'the rows before an empty page if rows were deleted after the count',
    { rows: 0, counted: 41, page: 2 },
    { total: 40, pages: 2 },
  ],
  ['the count for a page far beyond the end', { rows: 0, counted: 3, page: 7 }, { total: 3, pages: 1 }],
])('the total of a list is %s', (_what, { rows, counted, page }, { total, pages }) => {
  const answer = pageOf(Array(rows).fill(0), counted, requestOf(page, 20));
  expect([answer.totalCount, answer.pageCount]).toEqual([total, pages]);
});

test('the total of a list is consistent with the rows of its page, for any count', () => {
  const count = fc.integer({ min: 0, max: 500 });
  fc.assert(
    fc.property(count, count, fc.nat(20), fc.integer({ min: 1, max: 50 }), (there, counted, page, size) => {
      const rows = Math.max(0, Math.min(size, there - page * size));
      const { totalCount, pageCount } = pageOf(Array(rows).fill(0), counted, requestOf(page, size));
      expect(totalCount).toBeGreaterThanOrEqual(rows === 0 ? 0 : page * size + rows);
      // A page that is not full is the last one.
      if (rows < size) expect(totalCount).toBeLessThanOrEqual(page * size + rows);
      expect(pageCount).toBe(Math.ceil(totalCount / size));
    }),
  );
});
