import { describe, expect, test } from 'vitest';
import { rank, ranked, stem } from './palette-match.ts';

const labels = (entries: readonly { label: string }[]) => entries.map(({ label }) => label);

describe('the palette', () => {
  test.each([
    ['queries', 'query'],
    ['sources', 'source'],
    ['keys', 'key'],
    ['access', 'access'],
    ['bus', 'bus'],
  ])('reduces the word %s to %s', (word, singular) => {
    expect(stem(word)).toBe(singular);
  });

  test('finds a page by its singular and an action by its plural', () => {
    expect(rank({ label: 'Queries' }, 'query')).toBe(1);
    expect(rank({ label: 'New query' }, 'queries')).toBe(3);
    expect(rank({ label: 'Data sources' }, 'source')).toBe(3);
    expect(rank({ label: 'New recipient', aliases: ['add create'] }, 'create recipients')).toBe(5);
    expect(rank({ label: 'Users' }, 'key')).toBeUndefined();
  });

  test('lists the exact name first, followed by the other matches of its group', () => {
    const entries = [
      { label: 'Lock orders', group: 'On this page' },
      { label: 'Home', group: 'Pages' },
      { label: 'Late orders of the shop', group: 'Queries' },
      { label: 'Orders late', group: 'Queries' },
      { label: 'Orders', group: 'Queries' },
      { label: 'Orders desk', group: 'Projects' },
    ];
    expect(labels(ranked(entries, 'orders'))).toEqual([
      'Orders',
      'Orders late',
      'Late orders of the shop',
      'Orders desk',
      'Lock orders',
    ]);
  });

  test('keeps the original order of entries while the search text is empty', () => {
    const entries = ['c', 'a', 'b'].map((label) => ({ label, group: label }));
    expect(labels(ranked(entries, ''))).toEqual(['c', 'a', 'b']);
  });
});
