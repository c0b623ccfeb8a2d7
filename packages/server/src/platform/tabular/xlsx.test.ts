import { buffer } from 'node:stream/consumers';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { hostileTexts } from '../../../../channels/src/testing/hostile-texts.ts';
import type { TabularBatch, TabularColumn } from './cell-text.ts';
import { serialOf } from './serial-time.ts';
import { xlsxOf } from './xlsx.ts';

/** Writes a workbook and reads it with an independent reader. */
async function written(columns: readonly TabularColumn[], ...batches: TabularBatch[]) {
  async function* eachBatch() {
    yield* batches;
  }
  return readSheet(await buffer(xlsxOf(columns, eachBatch())));
}

/**
 * Returns a text without the characters that a sheet cannot contain and without the white space that its reader
 * drops.
 */
const visible = (cell: string): string =>
  Array.from(cell)
    .filter((character) => character >= ' ' && !/[\ufffe\uffff\s]/.test(character))
    .join('');

const text = (name: string): TabularColumn => ({ name, isText: true });
const plain = (name: string): TabularColumn => ({ name, isText: false });

describe('a workbook', () => {
  test('stores numbers, Booleans and times with their types', async () => {
    const rows = await written(
      [
        plain('number'),
        plain('exact'),
        plain('yes'),
        { ...plain('day'), time: 'Date' },
        { ...plain('at'), time: 'Timestamp' },
        { ...plain('utc'), time: 'UtcTimestamp' },
      ],
      {
        rowCount: 2,
        columns: [
          [-12.5, null],
          ['12345678901234567890', 7],
          [true, false],
          ['2024-02-29', '0044-03-15'],
          ['2024-02-29T23:59:58.5', 'infinity'],
          ['1999-12-31T23:59:59Z', null],
        ],
      },
    );
    const seconds = rows[1]?.map((cell) =>
      cell instanceof Date ? new Date(Math.round(cell.getTime() / 100) * 100) : cell,
    );
    expect(seconds).toEqual([
      -12.5,
      '12345678901234567890',
      true,
      new Date('2024-02-29T00:00:00Z'),
      new Date('2024-02-29T23:59:58.500Z'),
      new Date('1999-12-31T23:59:59Z'),
    ]);
    expect(rows[2]).toEqual([null, 7, false, '0044-03-15', 'infinity', null]);
  });

  test('stores every hostile text as text, never as a formula', async () => {
    const cells = hostileTexts.filter((hostile) => hostile.trim() !== '');
    const rows = await written([text('=heading()')], { rowCount: cells.length, columns: [cells] });
    expect(rows[0]).toEqual(['=heading()']);
    expect(rows).toHaveLength(cells.length + 1);
    for (const [index, cell] of cells.entries()) {
      expect(visible(String(rows[index + 1]?.[0] ?? '')).slice(0, 32_600)).toBe(
        visible(cell.toWellFormed()).slice(0, 32_600),
      );
    }
  });

  test('preserves control characters, carriage returns and texts that look like an escape', async () => {
    const cells = ['a\r\nb\rc', '\u0001\u001b', '_x0041_', '_x000D_ and _x00e9_', '_X0041_ _x41_', 'x\ufffe'];
    const rows = await written([text('t')], { rowCount: cells.length, columns: [cells] });
    expect(rows.slice(1).flat()).toEqual(cells);
  });

  test('ends a cut text with a mark that states the length of the value', async () => {
    const texts = [
      'a'.repeat(32_767),
      'a'.repeat(32_768),
      '\u{1f600}'.repeat(20_000),
      `${'b'.repeat(1_000_000)}END`,
    ];
    const rows = await written([text('t')], { rowCount: texts.length, columns: [texts] });
    const cells = rows.slice(1).map(([cell]) => String(cell));
    expect(cells[0]).toBe(texts[0]);
    for (const [index, cell] of cells.slice(1).entries()) {
      const [, start = '', length] =
        /^(.*)… \[cut: the value has ([\d,]+) characters, a cell at most 32,767\]$/.exec(cell) ?? [];
      expect(Number(length?.replaceAll(',', ''))).toBe(texts[index + 1]?.length);
      expect(texts[index + 1]?.startsWith(start)).toBe(true);
      expect(start.isWellFormed()).toBe(true);
      expect(cell.length).toBeGreaterThan(32_764);
      expect(cell.length).toBeLessThan(32_768);
    }
  });

  test('writes a decimal that is text because of its scale as a number', async () => {
    const decimals = ['1.10', '-20.50', '1234567890123.40', '12345678901234.567'];
    const columns = [{ name: 'amount', isText: false, isNumeric: true }];
    const rows = await written(columns, { rowCount: decimals.length, columns: [decimals] });
    expect(rows.slice(1)).toEqual([[1.1], [-20.5], [1_234_567_890_123.4], ['12345678901234.567']]);
  });

  test('stores a text with leading zeros as text in a column of numbers', async () => {
    const texts = ['007', '-01', '00.5', '0', '0.5', '7'];
    const columns = [{ name: 'code', isText: true, isNumeric: true }];
    const rows = await written(columns, { rowCount: texts.length, columns: [texts] });
    expect(rows.slice(1).flat()).toEqual(['007', '-01', '00.5', 0, 0.5, 7]);
  });

  test('refuses more rows than a sheet can contain', async () => {
    const batch = { rowCount: 1_048_576, columns: [] };
    await expect(written([], batch)).rejects.toThrow('Choose CSV');
  });
});

test('a time that a spreadsheet cannot represent has no serial', () => {
  expect(serialOf('1900-03-01', 'Date')).toBe(61);
  for (const day of ['1900-02-28', '2023-02-29', '2024-13-01', '2024-00-01', '12024-01-01', '2024-1-1', ''])
    expect(serialOf(day, 'Date')).toBeUndefined();
  expect(serialOf('12:00:00', 'Time')).toBe(0.5);
  for (const time of ['24:00:00', '12:60:00', '12:00', '12:00:00+02'])
    expect(serialOf(time, 'Time')).toBeUndefined();
  expect(serialOf('2024-01-01T12:00:00Z', 'UtcTimestamp')).toBe(45_292.5);
  expect(serialOf('2024-01-01T12:00:00', 'UtcTimestamp')).toBeUndefined();
  expect(serialOf('2024-01-01T12:00:00+02:00', 'Timestamp')).toBeUndefined();
});
