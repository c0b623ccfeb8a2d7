import { describe, expect, it } from 'vitest';
import { nextSort, sortState } from './columns.ts';

describe('sorting by a header', () => {
  it('goes up, then down, then back to the order of the list', () => {
    expect(nextSort(undefined, 'name')).toBe('name');
    expect(nextSort('name', 'name')).toBe('-name');
    expect(nextSort('-name', 'name')).toBeUndefined();
    expect(nextSort('-other', 'name')).toBe('name');
  });

  it('tells readers how a column is sorted, and nothing of a column that cannot be', () => {
    expect(sortState('-name', 'name')).toBe('descending');
    expect(sortState('name', 'name')).toBe('ascending');
    expect(sortState('other', 'name')).toBe('none');
    expect(sortState('name', undefined)).toBeUndefined();
  });
});
