import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textTokens } from './text-tokens.ts';

const coloured = (text: string) =>
  textTokens(text)
    .filter(({ colour }) => colour !== undefined)
    .map(({ text, colour }) => `${colour}: ${text}`);

describe('syntax colours of a statement without an editor', () => {
  test('distinguish keywords, strings, numbers and comments', () => {
    expect(coloured("select count, 'it''s', 12.5 -- from\nfrom \"order\" /* where\n*/ t1")).toEqual([
      'keyword: select',
      "string: 'it''s'",
      'number: 12.5',
      'comment: -- from',
      'keyword: from',
      'string: "order"',
      'comment: /* where\n*/',
    ]);
  });

  test('cover an unclosed string or comment up to the end', () => {
    expect(coloured("select 'from")).toEqual(['keyword: select', "string: 'from"]);
    expect(coloured('1 /* from')).toEqual(['number: 1', 'comment: /* from']);
  });

  test('do not treat property names of objects as keywords, and preserve every character', () => {
    expect(coloured('constructor toString __proto__')).toEqual([]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(
          textTokens(text)
            .map((token) => token.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  test('are omitted for a very long text', () => {
    const text = 'select 1;'.repeat(10_000);
    expect(textTokens(text)).toEqual([{ text, colour: undefined }]);
  });
});
