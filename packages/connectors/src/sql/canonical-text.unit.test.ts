import { describe, expect, it } from 'vitest';
import { canonicalText } from './canonical-text.ts';
import {
  bigqueryDialect,
  clickhouseDialect,
  databricksDialect,
  duckdbDialect,
  mysqlDialect,
  postgresqlDialect,
  restDialect,
  type SqlDialect,
  snowflakeDialect,
  sqliteDialect,
  sqlserverDialect,
} from './dialects.ts';

const withParser = [postgresqlDialect, sqliteDialect, duckdbDialect];
const withoutParser = [
  mysqlDialect,
  sqlserverDialect,
  clickhouseDialect,
  bigqueryDialect,
  snowflakeDialect,
  databricksDialect,
];
const all = [...withParser, ...withoutParser];
const named = (dialects: readonly SqlDialect[]) =>
  dialects.map((dialect) => ({ name: dialect.name, dialect }));

const unusual: [string, string][] = [
  ['a carriage return without a line feed (U+000D)', '\r'],
  ['a vertical tab (U+000B)', '\v'],
  ['a form feed (U+000C)', '\f'],
  ['a next-line character (U+0085)', '\u0085'],
  ['a line separator (U+2028)', '\u2028'],
  ['a paragraph separator (U+2029)', '\u2029'],
  ['a NUL character (U+0000)', '\0'],
  ['a control character (U+001F)', '\u001f'],
  ['a control character (U+007F)', '\u007f'],
];
const blanks: [string, string][] = [
  ['a no-break space (U+00A0)', '\u00a0'],
  ['a byte order mark (U+FEFF)', '\ufeff'],
  ['a zero-width space (U+200B)', '\u200b'],
  ['an unusual blank (U+3000)', '\u3000'],
];

describe.each(named(all))('the canonical statement text for $name', ({ dialect }) => {
  it.each([...unusual, ...blanks])(
    'is refused with the position of any %s outside quotes',
    (name, character) => {
      for (const sql of [`select 1,\n 2${character}`, `select 1,\n 2${character}, 'a'`]) {
        expect(() => canonicalText(sql, dialect)).toThrow(
          expect.objectContaining({
            code: 'syntax-refused',
            message: expect.stringContaining(name),
            position: { offset: 12, line: 2, column: 3 },
          }),
        );
      }
      expect(() => canonicalText(`${character}select 1`, dialect)).toThrow(
        expect.objectContaining({ code: 'syntax-refused' }),
      );
    },
  );

  it.each(unusual)('is refused with any %s in a comment', (_name, character) => {
    for (const sql of [`select 1 /* a${character} */`, `select 1 -- a${character}b`]) {
      expect(() => canonicalText(sql, dialect)).toThrow(expect.objectContaining({ code: 'syntax-refused' }));
    }
  });

  it('retains tabs, line feeds, CR LF, and every character inside quotes', () => {
    const sql = `select\t'${unusual.map(([, character]) => character).join('')}\u00a0\ufeff'\r\n\n`;
    expect(canonicalText(sql, dialect)).toBe(sql);
  });
});

describe.each(named(withoutParser))(
  'comments for $name, an engine without an available parser',
  ({ dialect }) => {
    it('become spaces of the same length, with their line ends', () => {
      const sql = "select /* ä😀\r\n 'x */ 1, '/* text */' -- it's\n, 2 -- end";
      const expected = `select ${' '.repeat(6)}\r\n${' '.repeat(6)} 1, '/* text */' ${' '.repeat(7)}\n, 2 ${' '.repeat(6)}`;
      expect(canonicalText(sql, dialect)).toBe(expected);
    });

    it('are refused with their position if they are not closed', () => {
      expect(() => canonicalText('select 1\n/* not closed', dialect)).toThrow(
        expect.objectContaining({ code: 'syntax-refused', position: { offset: 9, line: 2, column: 1 } }),
      );
    });

    it('do not form a new comment after their removal', () => {
      const once = canonicalText('select 1 /* a */ - /* b */ - 2 /*+ SET_VAR(sql_mode=ANSI) */', dialect);
      expect(once).not.toContain('*');
      expect(canonicalText(once, dialect)).toBe(once);
    });
  },
);

describe.each(named(withParser))('comments for $name', ({ dialect }) => {
  it('remain in the text, because the parser of the engine reads them', () => {
    const sql = "select /* it's */ 1 -- end";
    expect(canonicalText(sql, dialect)).toBe(sql);
  });
});

it('the canonical text of a REST statement is the unchanged JSON', () => {
  expect(canonicalText('{"a": 1}\r', restDialect)).toBe('{"a": 1}\r');
});

describe('two minus signs directly before a comment', () => {
  it('are refused on MySQL, where a space in place of the comment would create a comment', () => {
    expect(() => canonicalText('select 3 --/**/ 2', mysqlDialect)).toThrow(
      expect.objectContaining({ code: 'syntax-refused', position: expect.objectContaining({ offset: 11 }) }),
    );
    expect(canonicalText('select 3 - -/**/ 2', mysqlDialect)).toBe('select 3 - -     2');
  });

  it('are not detected in a comment at the start of a statement', () => {
    expect(canonicalText('-- first\nselect 1', mysqlDialect)).toBe('        \nselect 1');
  });
});
