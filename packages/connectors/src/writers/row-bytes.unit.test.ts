import { describe, expect, it } from 'vitest';
import { createRowBytes } from './row-bytes.ts';

const texts = (count: number): string[] =>
  Array.from({ length: count }, (_, row) => `${row}\tünd 🙂 ${'x'.repeat(row % 700)}\n`);

describe('row bytes of a writer', () => {
  it('are equal to the bytes of the added texts, for all rows and for any part', () => {
    const rows = createRowBytes();
    const all = texts(5_000);
    for (const text of all) rows.add(text);
    expect([rows.rows(), rows.size()]).toEqual([5_000, Buffer.byteLength(all.join(''))]);
    for (const [from, to] of [
      [0, 5_000],
      [0, 1],
      [4_999, 5_000],
      [1_023, 1_025],
      [7, 7],
    ] as const) {
      expect(rows.part(from, to).toString(), `${from} to ${to}`).toBe(all.slice(from, to).join(''));
    }
  });

  it('are empty after a clear and accept new rows', () => {
    const rows = createRowBytes();
    for (const text of texts(10)) rows.add(text);
    rows.clear();
    rows.add('one\n');
    expect([rows.rows(), rows.part(0, 1).toString()]).toEqual([1, 'one\n']);
  });

  it('accept a text that is larger than all earlier texts', () => {
    const rows = createRowBytes();
    rows.add('a');
    const large = '€'.repeat(2_000_000);
    rows.add(large);
    expect([rows.part(0, 1).toString(), rows.part(1, 2).equals(Buffer.from(large))]).toEqual(['a', true]);
  });
});
