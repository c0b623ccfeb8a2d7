import { expect, test } from 'vitest';
import { SheetScan, withoutPhonetics } from './xlsx-sheet-scan.ts';

/** Yields the bytes of a text in chunks of a size. */
async function* chunksOf(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function scan(text: string, size = 65_536) {
  const result = new SheetScan();
  for await (const chunk of chunksOf(text, size)) result.take(chunk);
  return result;
}

const run = '<rPh sb="0" eb="1"><t>か</t></rPh>';

test.each([
  [`<is><t>火</t>${run}${run}</is>`, '<is><t>火</t></is>'],
  [`<x:is>${run.replaceAll('rPh', 'x:rPh')}<x:t>火</x:t></x:is>`, '<x:is><x:t>火</x:t></x:is>'],
  ['<is><rPh sb="0"/><t>火</t></is>', '<is><t>火</t></is>'],
  ['<is><t>&lt;rPh></t></is>', '<is><t>&lt;rPh></t></is>'],
  ['<is><t>火</t></is', '<is><t>火</t></is'],
])('removes the phonetic runs of %j, however its bytes are divided', async (text, expected) => {
  for (const size of [1, 2, 7, 1_000]) {
    expect((await withoutPhonetics(chunksOf(text, size), 1_000))?.toString()).toBe(expected);
    expect((await scan(text, size)).hasPhonetic).toBe(/<(x:)?rPh/.test(text));
  }
});

test('refuses a phonetic run that is too long, or has no end', async () => {
  expect(await withoutPhonetics(chunksOf(`<is>${run}</is>`, 5), 20)).toBeUndefined();
  expect(await withoutPhonetics(chunksOf('<is><rPh><t>a</t></is>', 5), 1_000)).toBeUndefined();
});

test('finds a cell after too many empty cells, in every form of its position', async () => {
  const rows = (cell: string) => `<row>${cell}</row>`.repeat(1_000);
  for (const cell of [
    '<c r="XFD1"/>',
    "<x:c s='>' r = 'xfd1'><v>1</v></x:c>",
    '<c r="A1"/><c t="n"/><c r="XFD1"/>',
  ])
    expect((await scan(rows(cell))).farCell).toEqual({ row: 367, column: 'XFD' });
  expect((await scan(rows('<c r="&#88;FD1"/>'))).farCell?.row).toBe(367);
});

test('finds no such cell in a wide sheet without empty cells, and in a long sheet with few empty cells', async () => {
  const wide = `<row>${'<c/>'.repeat(16_384)}</row>`.repeat(400);
  const long = '<row><c r="A1"/><c r="AZ1"><v>12345678901234567890</v></c></row>'.repeat(150_000);
  expect((await scan(wide)).farCell).toBeUndefined();
  expect((await scan(long)).farCell).toBeUndefined();
});
