import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextPieces } from './text-pieces.ts';

function gathered(texts: readonly string[], pieceBytes: number): Buffer[] {
  const { put, end } = createTextPieces(pieceBytes);
  return [...texts.flatMap((text) => [...put(text)]), ...end()];
}

test('texts of any length and any characters are returned unchanged', () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 60 }));
  fc.assert(
    fc.property(texts, (pieces) =>
      Buffer.concat(gathered(pieces, 64)).equals(
        Buffer.from(pieces.map((text) => text.toWellFormed()).join('')),
      ),
    ),
    { numRuns: 2_000 },
  );
});

test('pieces contain complete texts, and a text that may exceed a piece is a separate piece, in order', () => {
  const pieces = gathered(['abc', 'é'.repeat(4), '€'.repeat(40), '', 'x', 'y'.repeat(9), 'z'], 30);
  expect(pieces.map(String)).toEqual(['abcéééé', '€'.repeat(40), 'xyyyyyyyyyz']);
  expect(gathered([], 30)).toEqual([]);
});

test('a returned piece is not written to again', () => {
  const { put, end } = createTextPieces(12);
  put('abcd');
  const [first] = put('efgh');
  put('');
  end();
  expect(String(first)).toBe('abcd');
});
