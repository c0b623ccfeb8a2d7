import { describe, expect, it } from 'vitest';
import { nextLink } from './link-header.ts';

describe('the next page in a Link header', () => {
  it.each([
    ['</a>; rel="next"', '/a'],
    ['</a>; rel=next', '/a'],
    ['</a>;rel=NEXT;title="x"', '/a'],
    ['</a>; title="x" ; rel = "first next last"', '/a'],
    ['</a>; rel="prev", </b>; rel="next"', '/b'],
    ['</a>; rel="next", </b>; rel="next"', '/a'],
    ['</a?x=1,2;3>; rel="next"', '/a?x=1,2;3'],
    ['</a>; title="b, <c>; rel=next"; rel="prev", </d>; rel="next"', '/d'],
    ['</a>; title="\\"; rel=next; \\""', undefined],
    ['</a>; rel="prev"; rel="next"', undefined],
    ['</a>; rel="nextish"', undefined],
    ['</a>; rel="\tnext "', '/a'],
    ['</a>; rev="next"', undefined],
    ['</a>; xrel="next"', undefined],
    ['</a>', undefined],
    ['</a>; rel', undefined],
    ['</a>; rel=', undefined],
    ['</a>; rel="next', '/a'],
    ['</a; rel="next"', undefined],
    ['<>; rel="next"', ''],
    [', ,</a>; rel=next', '/a'],
    ['</a>;;rel=next', '/a'],
    ['</a>; rel=next</b>', '/a'],
    ['words, </a>; rel="next"', '/a'],
    ['', undefined],
    [undefined, undefined],
  ])('of %s is %s', (header, address) => {
    expect(nextLink(header)).toBe(address);
  });

  it.each([
    '<',
    '<>',
    '<>;',
    '<> ',
    '<>;rel=" ',
    ';rel="',
    '; ',
    '"',
    '\\"',
    '<a>;rel="next',
    ',',
    '\t',
    'x=',
  ])('of repeated %j is the expected address or absent', (part) => {
    const endless = part.repeat(300_000);
    for (const header of [endless, `<a>${endless}`, `<a>;${endless}`, `<a>;rel="${endless}`])
      expect(['', 'a', undefined]).toContain(nextLink(header));
  });
});
