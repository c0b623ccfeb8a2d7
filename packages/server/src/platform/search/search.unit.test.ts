import { describe, expect, test } from 'vitest';
import { createLexicalIndex } from './index.ts';
import { termsOf } from './terms.ts';

const named = (...names: string[]) =>
  createLexicalIndex(names.map((text) => ({ item: text, fields: [{ text, weight: 3, isName: true }] })));
const itemsFor = (index: ReturnType<typeof named>, words: string) =>
  index.find(words).map(({ item }) => item);

describe('search terms', () => {
  test.each([
    ['order_items', ['order', 'item']],
    ['dailyPrice', ['daili', 'price', 'dailypric']],
    ['HTTPServer', ['http', 'server', 'httpserver']],
    ['Wie groß ist Österreich?', ['wie', 'groß', 'ist', 'österreich']],
    ['...', []],
  ])('are extracted from %s', (text, terms) => expect(termsOf(text)).toEqual(terms));
});

describe('the search index', () => {
  test('finds a name by another form of its words', () => {
    expect(itemsFor(named('public.payments', 'public.orders'), 'who paid? which payment')).toEqual([
      'public.payments',
    ]);
  });

  test('finds a word within a compound name, ranked below the name that equals the word', () => {
    expect(itemsFor(named('sbcustomer', 'customer', 'cart'), 'customers')).toEqual([
      'customer',
      'sbcustomer',
    ]);
  });

  test('ranks a name above a comment, and a rare word above a frequent one', () => {
    const index = createLexicalIndex([
      { item: 'comment', fields: [{ text: 'flight', weight: 0.5 }] },
      { item: 'name', fields: [{ text: 'flight', weight: 3, isName: true }] },
      { item: 'rare', fields: [{ text: 'airport', weight: 3, isName: true }] },
    ]);
    expect(index.find('flight').map(({ item }) => item)).toEqual(['name', 'comment']);
    expect(index.find('flight airport')[0]?.item).toBe('rare');
  });

  test('finds nothing for words that do not occur, or in an empty index', () => {
    expect(itemsFor(named('orders'), 'weather')).toEqual([]);
    expect(itemsFor(named(), 'weather')).toEqual([]);
  });

  test('retains the order of documents with equal scores', () => {
    expect(itemsFor(named('b.orders', 'a.orders'), 'orders')).toEqual(['b.orders', 'a.orders']);
  });
});
