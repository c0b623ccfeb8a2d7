import { expect, test } from 'vitest';
import { sectionsOf } from './sections.ts';

test('the documentation rounds a score down, so that a failed contract never appears to reach its limit', () => {
  const contract = { name: 'Parcels', description: null, table: 'parcels', source: 'Shop', rules: [] };
  const of = (lastScore: number | null) =>
    sectionsOf(
      { sources: [], queries: [], code: [], contracts: [{ ...contract, lastStatus: 'Failed', lastScore }] },
      () => false,
      () => '',
    ).DataQuality.content;
  expect(of(79.96)).toContain('Last: failed, score 79.9.');
  expect(of(80)).toContain('Last: failed, score 80.');
  expect(of(null)).toContain('Last: failed.');
});
