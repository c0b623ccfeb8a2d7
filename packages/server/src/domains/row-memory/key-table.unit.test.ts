import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bucketBitsOf } from './buckets.ts';
import { entryBytes } from './key-entries.ts';
import { createKeyTable, type KeyTable, TooManyKeys } from './key-table.ts';
import { areRowsKnown } from './settle.ts';

const turn = async () => undefined;
const hash = (text: string, bytes: number) => createHash('sha256').update(text).digest().subarray(0, bytes);
/** Returns fingerprints of rows in the form of the gateway. */
const codesOf = (rows: readonly (readonly [string, string])[]) => ({
  keys: Buffer.concat(rows.map(([key]) => hash(`key ${key}`, 16))),
  contents: Buffer.concat(rows.map(([, content]) => hash(`content ${content}`, 8))),
});
const observeAll = (table: KeyTable, rows: readonly (readonly [string, string])[]) => {
  const codes = codesOf(rows);
  return rows.map((_, row) => table.observe(codes, row));
};

/** Stores the rows of a run and loads them into a new table. */
async function reloaded(table: KeyTable, bits: number): Promise<KeyTable> {
  await table.totals(turn);
  const next = createKeyTable({ rowsMax: 1_000_000 });
  for (const { entries } of table.buckets(bits, false)) next.load(entries);
  return next;
}

describe('a table of keys', () => {
  test.each([0, 3, 12])('recognises the keys that were loaded from buckets of %s bits', async (bits) => {
    const rows = Array.from({ length: 5_000 }, (_, n): [string, string] => [`${n}`, 'as it was']);
    const first = createKeyTable({ rowsMax: 1_000_000 });
    expect(new Set(observeAll(first, rows))).toEqual(new Set(['New']));
    const next = await reloaded(first, bits);
    const after = rows.flatMap(([key, content], n): [string, string][] =>
      n % 10 === 0 ? [] : [[key, n % 7 === 0 ? 'another' : content]],
    );
    const verdicts = observeAll(next, [...after, ['fresh', 'x']]);
    expect(verdicts.at(-1)).toBe('New');
    after.forEach(([, content], at) => {
      expect(verdicts[at]).toBe(content === 'another' ? 'Changed' : 'Same');
    });
    expect(await next.totals(turn)).toEqual({
      rowCount: after.length + 1,
      duplicateKeyCount: 0,
      vanishedCount: 500,
    });
  });

  test('returns sorted entries, and only the buckets that changed', async () => {
    const rows = Array.from({ length: 2_000 }, (_, n): [string, string] => [`${n}`, 'x']);
    const first = createKeyTable({ rowsMax: 1_000_000 });
    observeAll(first, rows);
    const next = await reloaded(first, 4);
    observeAll(next, [...rows, ['fresh', 'x']]);
    await next.totals(turn);
    const changed = [...next.buckets(4, true)];
    expect(changed).toHaveLength(1);
    expect(changed[0]?.bucket).toBe(hash('key fresh', 16).readUInt8(0) >>> 4);
    for (const { entries } of next.buckets(4, false)) {
      const list = Array.from({ length: entries.length / entryBytes }, (_, at) =>
        entries.subarray(at * entryBytes, at * entryBytes + 16).toString('hex'),
      );
      expect(list).toEqual([...list].sort());
    }
  });

  test('combines the contents of all rows with one key, in any order', async () => {
    const shared = Array.from({ length: 40 }, (_, n): [string, string] => ['one', `${n}`]);
    const first = createKeyTable({ rowsMax: 10 });
    observeAll(first, shared);
    expect(await first.totals(turn)).toMatchObject({ rowCount: 1, duplicateKeyCount: 1 });
    const cases: [readonly (readonly [string, string])[], boolean][] = [
      [[...shared].reverse(), false],
      [shared.slice(1), true],
      [[...shared, ['one', 'more']], true],
      [[...shared.slice(1), ['one', 'other']], true],
    ];
    for (const [rows, hasChanged] of cases) {
      const next = await reloaded(first, 0);
      expect(new Set(observeAll(next, rows))).toEqual(new Set(['Undecided']));
      expect(next.hasChanged(next.placeOf(codesOf(rows).keys, 0))).toBe(hasChanged);
    }
  });

  test('refuses more keys than the maximum, and counts no key twice', () => {
    const table = createKeyTable({ rowsMax: 2 });
    observeAll(table, [
      ['a', '1'],
      ['b', '1'],
      ['a', '2'],
    ]);
    expect(() => observeAll(table, [['c', '1']])).toThrow(TooManyKeys);
  });
});

test.each([
  [0, undefined, 0],
  [4_096, undefined, 0],
  [1_000_000, undefined, 8],
  [1_000_000, 7, 7],
  [1_000_000, 3, 8],
  [10_000_000, undefined, 12],
])(
  '%s rows, previously in buckets of %s bits, are stored in buckets of %s bits',
  (rowCount, before, bits) => {
    expect(bucketBitsOf(rowCount, before)).toBe(bits);
  },
);

test.each([
  ['Sent', null, true, true],
  ['Silenced', 'Baseline', false, true],
  ['Silenced', 'NothingChanged', false, true],
  ['BelowThreshold', null, false, true],
  ['NoResults', null, false, true],
  ['Failed', 'DeliveriesFailed', true, true],
  ['Failed', 'Interrupted', false, false],
  ['Silenced', 'Snoozed', false, false],
  ['Silenced', 'Superseded', false, false],
  ['Skipped', 'NobodyNotified', true, false],
] as const)(
  'rows of a run that ended as %s (%s), with deliveries %s, are stored as known: %s',
  (...example) => {
    const [status, reason, hasDeliveries, isKnown] = example;
    expect(areRowsKnown({ status, reason, hasDeliveries })).toBe(isKnown);
  },
);
