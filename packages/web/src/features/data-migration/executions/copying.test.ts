import { describe, expect, it } from 'vitest';
import { rowsReadInWords, shareRead, timeLeft } from './copying.ts';

const started = Date.parse('2026-11-20T10:00:00Z');
const copying = (change: Partial<Parameters<typeof shareRead>[0]> = {}) => ({
  rowsRead: 250,
  bytesRead: 5_000,
  estimatedRows: 1_000,
  stage: 'Copying' as const,
  startedAt: new Date(started).toISOString(),
  isTrial: false,
  ...change,
});

describe('progress of a copy', () => {
  it('is computed from the number of rows that the source is expected to return', () => {
    expect(shareRead(copying())).toBe(0.25);
    expect(rowsReadInWords(copying())).toBe('250 of about 1,000 rows, 5 kB');
  });

  it.each([
    ['the source gives no estimate', { estimatedRows: null }],
    ['no rows are expected', { estimatedRows: 0 }],
    ['the rows are being applied', { stage: 'Applying' as const }],
    ['the copy is a trial, which reads only the rows that it needs', { isTrial: true }],
  ])('is unknown if %s', (_why, change) => {
    expect(shareRead(copying(change))).toBeUndefined();
    expect(rowsReadInWords(copying(change))).toBe('250 rows, 5 kB');
    expect(timeLeft(copying(change), started + 60_000)).toBeUndefined();
  });

  it('is complete if the source returns more rows than expected', () => {
    expect(shareRead(copying({ rowsRead: 1_200 }))).toBe(1);
    expect(rowsReadInWords(copying({ rowsRead: 1_200 }))).toBe('1,200 rows, 5 kB');
    expect(timeLeft(copying({ rowsRead: 1_200 }), started + 60_000)).toBeUndefined();
  });
});

describe('remaining time of a copy', () => {
  it.each([
    [4_000, undefined],
    [6_000, 'Less than a minute left'],
    [60_000, 'About 3 min left'],
    [3 * 3_600_000, 'About 9 h left'],
  ])('has the expected text after %i ms and a quarter of the rows', (elapsed, words) => {
    expect(timeLeft(copying(), started + elapsed)).toBe(words);
  });

  it('is unknown before the first row', () => {
    expect(timeLeft(copying({ rowsRead: 0 }), started + 60_000)).toBeUndefined();
  });
});
