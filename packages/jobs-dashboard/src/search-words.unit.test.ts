import { describe, expect, it } from 'vitest';
import { completed, readSearch, searchWords, suggestionsFor } from '../ui/src/lib/search.ts';

const now = Date.parse('2026-03-10T12:00:00Z');
const read = (text: string) => readSearch(text, now);

describe('a job search text', () => {
  it.each([
    ['', {}],
    ['ship order', { name: 'ship order' }],
    ['01900000-0000-7000-8000-000000000000', { id: '01900000-0000-7000-8000-000000000000' }],
    ['tag:vip queue:mail', { tag: 'vip', queue: 'mail' }],
    ['tag:region:eu', { tag: 'region:eu' }],
    ['since:2h', { createdFrom: '2026-03-10T10:00:00.000Z' }],
    ['before:2026-03-01', { createdUntil: '2026-03-01' }],
    ['order.id=42 ship', { argument: 'order.id', value: '42', name: 'ship' }],
    ['order.note=', { argument: 'order.note' }],
    ['note="a"', { argument: 'note', value: 'a' }],
    ['app:nightly', { name: 'app:nightly' }],
  ])('%j is parsed without a mistake', (text, search) => {
    expect(read(text)).toEqual({ search, mistakes: [] });
  });

  it.each([
    ['since:2x', {}, '2x is no time: write 30m, 2h, 7d or 2026-03-01.'],
    ['before:2026-13-01', {}, '2026-13-01 is no time: write 30m, 2h, 7d or 2026-03-01.'],
    ['since:2026-03', {}, '2026-03 is no time: write 30m, 2h, 7d or 2026-03-01.'],
    ['id:xyz', {}, 'xyz is no beginning of an id: at least 4 hexadecimal digits.'],
    ['queue: ship', { name: 'ship' }, 'queue: needs a value behind the colon.'],
    ['=42', {}, '=42 names no member of the payload: write order.id=42.'],
    ['order..id=1', {}, 'order..id has an empty name between its dots.'],
    ['tag:a tag:b', { tag: 'a' }, 'tag:b stands beside another of its kind: only one is asked for.'],
    [
      'a=1 b=2',
      { argument: 'a', value: '1' },
      'b=2 stands beside another of its kind: only one is asked for.',
    ],
    [
      'queu:mail',
      { name: 'queu:mail' },
      'queu: is no word of the search, so it is looked for in names. Did you mean queue:?',
    ],
  ])('%j reports its mistake and searches for the rest', (text, search, mistake) => {
    expect(read(text)).toEqual({ search, mistakes: [mistake] });
  });
});

describe('completion of a search word', () => {
  const words = (text: string) =>
    suggestionsFor(text, ['mail', 'maintenance', 'billing']).map(({ word }) => word);

  it.each([
    ['', []],
    ['ship ', []],
    ['t', ['tag:']],
    ['ship q', ['queue:']],
    ['queue:', ['queue:mail', 'queue:maintenance', 'queue:billing']],
    ['queue:mai', ['queue:mail', 'queue:maintenance']],
    ['queue:mail', []],
    ['since:2', ['since:2h', 'since:24h']],
    ['tag:v', []],
    ['x=', []],
  ])('for %j offers %j', (text, offered) => {
    expect(words(text)).toEqual(offered);
  });

  it('replaces only the current word of the text', () => {
    expect(completed('ship q', { word: 'queue:', hint: '' })).toBe('ship queue:');
    expect(completed('ship queue:m', { word: 'queue:mail', hint: '' })).toBe('ship queue:mail ');
  });

  it('never offers an invalid word', () => {
    for (const [word] of searchWords)
      for (const offer of suggestionsFor(word, ['mail'])) expect(read(offer.word).mistakes).toEqual([]);
  });
});
