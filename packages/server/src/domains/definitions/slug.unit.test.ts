import { describe, expect, test } from 'vitest';
import { slugFrom } from './slug.ts';

describe('slugs of names', () => {
  test.each([
    ['Late orders', 'late-orders'],
    ['  Überfällige Rechnungen (DACH) ', 'uberfallige-rechnungen-dach'],
    ['Größe, Łódź, Đakovo, Ærø', 'grosse-lodz-dakovo-aero'],
    ['受注残高 104', '104'],
    ['受注残高', 'query'],
    ['--', 'query'],
  ])('the name “%s” has the expected slug', (name, slug) =>
    expect(slugFrom(name, 'Query', new Set())).toBe(slug),
  );

  test('a name without letters gets the kind as its slug, here in two words', () =>
    expect(slugFrom('…', 'DataSource', new Set())).toBe('data-source'));

  test('a number distinguishes a slug from existing slugs, within the maximum length', () => {
    expect(slugFrom('a', 'Query', new Set(['a', 'a-2']))).toBe('a-3');
    const long = 'x'.repeat(90);
    const first = slugFrom(long, 'Query', new Set());
    expect(first).toBe('x'.repeat(80));
    expect(slugFrom(long, 'Query', new Set([first]))).toBe(`${'x'.repeat(78)}-2`);
  });
});
