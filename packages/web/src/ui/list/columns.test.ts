import { describe, expect, it } from 'vitest';
import { nextSort, sortState } from './columns.ts';

describe('sorting by a header', () => {
  it('changes from ascending to descending, then to the default order of the list', () => {
    expect(nextSort(undefined, 'name')).toBe('name');
    expect(nextSort('name', 'name')).toBe('-name');
    expect(nextSort('-name', 'name')).toBeUndefined();
    expect(nextSort('-other', 'name')).toBe('name');
  });

  it('reports the sort state of a column, and none for a column that cannot be sorted', () => {
    expect(sortState('-name', 'name')).toBe('descending');
    expect(sortState('name', 'name')).toBe('ascending');
    expect(sortState('other', 'name')).toBe('none');
    expect(sortState('name', undefined)).toBeUndefined();
  });
});
