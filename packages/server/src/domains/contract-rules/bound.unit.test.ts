import { expect, test } from 'vitest';
import { boundOf } from './bound.ts';

test.each([
  [5, 'Number', '5'],
  ['-0.50', 'Number', '-0.50'],
  [1e-7, 'Number', '0.0000001'],
  [1e21, 'Number', '1000000000000000000000'],
  ['2026-02-28', 'Date', '2026-02-28'],
  ['2026-02-28T10:00:00Z', 'DateTime', '2026-02-28T10:00:00.000Z'],
  ['2026-02-28 10:00', 'DateTime', '2026-02-28T10:00:00.000Z'],
  ['2026-02-28T10:00:00+02:00', 'DateTime', '2026-02-28T08:00:00.000Z'],
])('%s is bound as a %s', (given, type, value) => {
  expect(boundOf(given)).toMatchObject({ type, value });
});

test.each(['', 'soon', '2026-02-30', '2026-13-01', '1e5', '12:00', '2026-02-28; drop table orders'])(
  'refuses to bind %j',
  (given) => expect(boundOf(given)).toBeUndefined(),
);
