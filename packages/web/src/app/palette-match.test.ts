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
  ])('reads %s as %s', (word, singular) => {
    expect(stem(word)).toBe(singular);
  });

  test('finds a page by its singular, and an act by its plural', () => {
    expect(rank({ label: 'Queries' }, 'query')).toBe(1);
    expect(rank({ label: 'New query' }, 'queries')).toBe(3);
    expect(rank({ label: 'Data sources' }, 'source')).toBe(3);
    expect(rank({ label: 'New recipient', aliases: ['add create'] }, 'create recipients')).toBe(5);
    expect(rank({ label: 'Users' }, 'key')).toBeUndefined();
  });

  test('puts the exact name first, and its group with it', () => {
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

  test('keeps the order of what is not ranked', () => {
    const entries = ['c', 'a', 'b'].map((label) => ({ label, group: label }));
    expect(labels(ranked(entries, ''))).toEqual(['c', 'a', 'b']);
  });
});
