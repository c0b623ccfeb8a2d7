import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textTokens } from './text-tokens.ts';

const coloured = (text: string) =>
  textTokens(text)
    .filter(({ colour }) => colour !== undefined)
    .map(({ text, colour }) => `${colour}: ${text}`);

describe('the colours of a statement that is not being written', () => {
  test('tells keywords, texts, numbers and comments apart', () => {
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

  test('colours what is not closed as far as it goes', () => {
    expect(coloured("select 'from")).toEqual(['keyword: select', "string: 'from"]);
    expect(coloured('1 /* from')).toEqual(['number: 1', 'comment: /* from']);
  });

  test('takes no property of an object for a keyword, and keeps every letter', () => {
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

  test('draws a very long text without colours', () => {
    const text = 'select 1;'.repeat(10_000);
    expect(textTokens(text)).toEqual([{ text, colour: undefined }]);
  });
});
