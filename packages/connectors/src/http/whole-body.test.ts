import path from 'node:path';
import { expect, test } from 'vitest';
import { runInSmallHeap } from '../testing/small-heap.ts';
import { readWhole } from './whole-body.ts';

const answerOf = (...pieces: string[]) => ({
  status: 200,
  header: () => undefined,
  isEndMarked: true,
  body: (async function* () {
    for (const piece of pieces) yield Buffer.from(piece);
  })(),
});

test('a body is read completely, or not at all if it exceeds the limit', async () => {
  expect((await readWhole(answerOf('a', '', 'bcd', 'e'), 5))?.toString()).toBe('abcde');
  expect(await readWhole(answerOf(), 0)).toEqual(Buffer.alloc(0));
  expect(await readWhole(answerOf('a', 'bcd', 'ef'), 5)).toBeUndefined();
});

test('a body whose bytes arrive one by one fits into a small heap', async () => {
  const program = `
    const { readWhole } = await import(process.argv[1]);
    const bytes = Buffer.alloc(65_536, 'x');
    const body = (async function* () {
      for (let at = 0; at < 4_000_000; at++) yield bytes.subarray(at % 65_536, (at % 65_536) + 1);
    })();
    process.stdout.write(String((await readWhole({ body }, 4_194_304)).length));
  `;
  expect(await runInSmallHeap(program, path.join(import.meta.dirname, 'whole-body.ts'))).toBe('4000000');
});
