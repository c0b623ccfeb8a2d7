import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../testing/results.ts';
import { readLines } from './rows.ts';

const limits = { maxBytes: 10_000_000, maxCellBytes: 100_000 };

async function read(chunks: readonly Buffer[], change: Partial<typeof limits> = {}) {
  const lines: string[] = [];
  const counts: number[] = [];
  let rest: string | undefined;
  async function* body() {
    yield* chunks;
  }
  for await (const piece of readLines(body(), { ...limits, ...change })) {
    lines.push(...piece.lines);
    counts.push(piece.lines.length);
    rest = piece.rest ?? rest;
  }
  return { lines, rest, counts };
}

function chunksOf(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let from = 0;
  return places.map((to) => {
    const chunk = bytes.subarray(from, to);
    from = to;
    return chunk;
  });
}

describe('lines of a response body', () => {
  it('are read correctly for any length and any division into chunks', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\n', '')),
      fc.constantFrom('', 'x'.repeat(16_383), 'x'.repeat(16_384), 'é'.repeat(9_000), 'y'.repeat(70_000)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.constantFrom('', 'a row that was cut'),
        async (lines, cuts, rest) => {
          const result = await read(chunksOf(`${lines.map((one) => `${one}\n`).join('')}${rest}`, cuts));
          const asTexts = lines.map((one) => Buffer.from(one).toString());
          expect([result.lines, result.rest]).toEqual([asTexts, rest]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are converted to text a few at a time, even from a large chunk', async () => {
    const chunk = Buffer.from(`${'0123456789'.repeat(10)}\n`.repeat(6_000));
    const { counts } = await read([chunk]);
    expect(Math.max(...counts)).toBeLessThan(170);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(6_000);
  });

  it('fail if they are too long, over any number of chunks', async () => {
    const piece = Buffer.alloc(60_000, 'x');
    for (const chunks of [
      [Buffer.from('a\n'), ...Array.from({ length: 8 }, () => piece)],
      [Buffer.from('a\nb'), ...Array.from({ length: 7 }, () => piece), Buffer.from('\n')],
    ])
      expect((await errorOf(read(chunks))).code).toBe('value-too-large');
    expect((await errorOf(read([piece], { maxBytes: 59_999 }))).code).toBe('too-many-bytes');
  });
});
