import { describe, expect, test } from 'vitest';
import { resultFingerprint } from './fingerprint.ts';
import type { Outcome } from './outcome.ts';
import { vote } from './vote.ts';

const outcome = (part: Partial<Outcome>): Outcome => ({
  state: 'Answered',
  basis: 'Model',
  confidence: 'Medium',
  sql: 'select 1',
  assumptions: [],
  advisories: [],
  clarification: null,
  missing: null,
  failure: null,
  similar: [],
  columns: [],
  rows: [[1]],
  truncatedBy: null,
  votes: null,
  goldenExampleId: null,
  repairs: 0,
  model: 'm',
  tokens: { input: 10, output: 1, isEstimated: false },
  ...part,
});
const gives = (sql: string, ...rows: readonly (readonly unknown[])[]) => outcome({ sql, rows });
const failed = outcome({
  state: 'Failed',
  sql: null,
  rows: null,
  failure: { code: 'TimedOut', message: 'x' },
});

describe('a vote', () => {
  test.each([
    ['all candidates agree', [gives('a', [1]), gives('b', [1]), gives('c', ['1.0'])], 'a', 3, 'Medium'],
    ['most candidates agree', [gives('a', [2]), gives('b', [1]), gives('c', [1])], 'b', 2, 'Low'],
    ['the votes are tied', [gives('a', [2]), gives('b', [1])], 'a', 1, 'Low'],
    ['no candidates agree', [gives('a', [1]), gives('b', [2]), gives('c', [3])], 'a', 1, 'Low'],
    ['one candidate failed', [failed, gives('b', [1]), gives('c', [1])], 'b', 2, 'Low'],
  ] as const)(
    'determines the statement, the votes and the confidence where %s',
    (_what, candidates, sql, agreed, confidence) => {
      expect(vote(candidates)).toMatchObject({
        sql,
        confidence,
        votes: { agreed, of: candidates.length },
        tokens: { input: 10 * candidates.length, output: candidates.length },
      });
    },
  );

  test('can decide that no answer exists', () => {
    const none = outcome({
      state: 'CannotAnswer',
      basis: null,
      confidence: null,
      rows: null,
      missing: 'No.',
    });
    expect(vote([gives('a', [1]), none, none])).toMatchObject({
      state: 'CannotAnswer',
      missing: 'No.',
      confidence: null,
      votes: { agreed: 2, of: 3 },
    });
  });

  test('selects the first candidate if all candidates failed', () => {
    const refused = outcome({ state: 'Refused', rows: null, repairs: 2 });
    expect(vote([refused, failed])).toMatchObject({ state: 'Refused', votes: null, repairs: 2 });
  });

  test('prefers a candidate without repairs, and agreement between repaired candidates does not raise the confidence', () => {
    const mended = outcome({ sql: 'mended', confidence: 'Low', repairs: 1 });
    expect(vote([mended, gives('b', [1])])).toMatchObject({
      sql: 'b',
      confidence: 'Medium',
      repairs: 1,
      votes: { agreed: 2, of: 2 },
    });
    expect(vote([mended, mended])).toMatchObject({ confidence: 'Low', votes: { agreed: 2, of: 2 } });
  });
});

describe('the fingerprint of a result', () => {
  const rows = [
    ['Zagreb', 2],
    ['Split', 1],
  ];
  const same = (other: readonly (readonly unknown[])[], isCut = false) =>
    resultFingerprint(other, isCut) === resultFingerprint(rows, false);

  test.each([
    ['in another order', [rows[1] ?? [], rows[0] ?? []], true],
    ['with columns in reverse order', rows.map((row) => row.toReversed()), true],
    [
      'with numbers as texts',
      [
        ['Zagreb', '2.000'],
        ['Split', 1.000_000_000_1],
      ],
      true,
    ],
    ['with a duplicate row', [...rows, ['Split', 1]], false],
    [
      'with values of other rows',
      [
        ['Zagreb', 1],
        ['Split', 2],
      ],
      false,
    ],
    ['with an extra column', rows.map((row) => [...row, 0]), false],
    [
      'with null for a value',
      [
        ['Zagreb', 2],
        ['Split', null],
      ],
      false,
    ],
    ['without rows', [], false],
  ])('ignores order and number formats, and detects other differences: a result %s', (_what, other, isSame) =>
    expect(same(other)).toBe(isSame),
  );

  test('differs if one of the results was cut', () => expect(same(rows, true)).toBe(false));
});
