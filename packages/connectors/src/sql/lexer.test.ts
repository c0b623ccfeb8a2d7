import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bigqueryDialect,
  clickhouseDialect,
  databricksDialect,
  duckdbDialect,
  mysqlDialect,
  postgresqlDialect,
  type SqlDialect,
  snowflakeDialect,
  sqliteDialect,
  sqlserverDialect,
} from './dialects.ts';
import { readSqlTokens, tokenText } from './lexer.ts';

const kinds = (sql: string, dialect: SqlDialect): string =>
  readSqlTokens(sql, dialect)
    .map((token) => `${token.kind}:${tokenText(sql, token)}`)
    .join(' | ');

describe('the SQL lexer', () => {
  it('recognizes the quotes and comments of each dialect', () => {
    expect(kinds(`a"b""c" 'x''y' -- {{p}}\n$t$ {{q}} $t$ {{ r }}`, postgresqlDialect)).toBe(
      `word:a | identifier:b"c | string:'x''y' | comment:-- {{p}} | string:$t$ {{q}} $t$ | placeholder:{{ r }}`,
    );
    expect(kinds(`E'a\\'b' 'c\\' 'd' /* a /* b */ c */ 1`, postgresqlDialect)).toBe(
      `string:E'a\\'b' | string:'c\\' | string:'d' | comment:/* a /* b */ c */ | number:1`,
    );
    expect(kinds(`E'a'\n'b\\'c' x`, postgresqlDialect)).toBe(`string:E'a'\n'b\\'c' | word:x`);
    expect(kinds(`"a\\"b" 'c\\'d' \`e\` # f\n5--1 -- g`, mysqlDialect)).toBe(
      `string:"a\\"b" | string:'c\\'d' | identifier:e | comment:# f | number:5 | symbol:- | symbol:- | number:1 | comment:-- g`,
    );
    expect(kinds('/*! x */ /*M!100 y */ /*+ z */ ?', mysqlDialect)).toBe(
      'executable-comment:/*! x */ | executable-comment:/*M!100 y */ | comment:/*+ z */ | marker:?',
    );
    expect(kinds(`[a]b]"c" 'x\\' :n ?1 @v $w /* a /* b */`, sqliteDialect)).toBe(
      `identifier:a | word:b | symbol:] | identifier:c | string:'x\\' | marker::n | marker:?1 | marker:@v | marker:$w | comment:/* a /* b */`,
    );
    expect(
      kinds(`"a\\"b" 'c\\'d' \`e\` # f\n/* a /* b */ c */ {p1:String} {{ r }} {'a': 1}`, clickhouseDialect),
    ).toBe(
      `identifier:a\\"b | string:'c\\'d' | identifier:e | comment:# f | comment:/* a /* b */ c */ | marker:{p1: | word:String | symbol:} | placeholder:{{ r }} | symbol:{ | string:'a' | symbol:: | number:1 | symbol:}`,
    );
    expect(kinds(`x::int $1 {'a': {'b': 1}}`, duckdbDialect)).toBe(
      `word:x | symbol:: | symbol:: | word:int | marker:$1 | symbol:{ | string:'a' | symbol:: | symbol:{ | string:'b' | symbol:: | number:1 | symbol:} | symbol:}`,
    );
    expect(kinds(`[a]]b] "c""d" N'e''f\\' @p1 @@version /* a /* b */ c */ #t -- g`, sqlserverDialect)).toBe(
      `identifier:a]b | identifier:c"d | word:N | string:'e''f\\' | marker:@p1 | word:@@version | comment:/* a /* b */ c */ | symbol:# | word:t | comment:-- g`,
    );
    expect(
      kinds(
        `'''a'b''c''' r"\\"x" '' \`p.d.t\` @p1 @@id # f\n/* a /* b */ ? 'it''s' """a\n"""`,
        bigqueryDialect,
      ),
    ).toBe(
      `string:'''a'b''c''' | word:r | string:"\\"x" | string:'' | identifier:p.d.t | marker:@p1 | word:@@id | comment:# f | comment:/* a /* b */ | marker:? | string:'it' | string:'s' | string:"""a\n"""`,
    );
    expect(
      kinds(`"a""b\\" 'c\\'d' $$ e's $$ // f\n/* /* g */ h:i::int {{ r }} ? $1 @s --j`, snowflakeDialect),
    ).toBe(
      `identifier:a"b\\ | string:'c\\'d' | string:$$ e's $$ | comment:// f | comment:/* /* g */ | word:h | symbol:: | word:i | symbol:: | symbol:: | word:int | placeholder:{{ r }} | marker:? | symbol:$ | number:1 | symbol:@ | word:s | comment:--j`,
    );
    expect(
      kinds(
        `"a\\"b" 'c\\'d' r'e\\' R"f\\" bar'g' \`h\`\`i\` /* /* j */ */ x:k y[0]:l :m z::int ? /*+ n */ {{ o }}`,
        databricksDialect,
      ),
    ).toBe(
      `string:"a\\"b" | string:'c\\'d' | string:r'e\\' | string:R"f\\" | word:bar | string:'g' | identifier:h\`i | comment:/* /* j */ */ | word:x | symbol:: | word:k | word:y | symbol:[ | number:0 | symbol:] | symbol:: | word:l | marker::m | word:z | symbol::: | word:int | marker:? | comment:/*+ n */ | placeholder:{{ o }}`,
    );
  });

  it('ends a line comment at the same character as each engine', () => {
    const hidden = 'a --\r b';
    for (const dialect of [postgresqlDialect, duckdbDialect, bigqueryDialect, databricksDialect])
      expect(kinds(hidden, dialect), dialect.name).toBe('word:a | comment:-- | word:b');
    for (const dialect of [
      mysqlDialect,
      sqliteDialect,
      clickhouseDialect,
      snowflakeDialect,
      sqlserverDialect,
    ])
      expect(kinds(hidden, dialect), dialect.name).toBe('word:a | comment:--\r b');
    expect(kinds('a # b\r c', bigqueryDialect)).toBe('word:a | comment:# b | word:c');
    expect(kinds('a # b\r c', mysqlDialect)).toBe('word:a | comment:# b\r c');
    for (const dialect of [postgresqlDialect, duckdbDialect, mysqlDialect, sqliteDialect])
      expect(kinds('a -- b\r\nc', dialect), dialect.name).toMatch(/^word:a \| comment:-- b\r? \| word:c$/);
    expect(kinds('a --\\\n b\nc', databricksDialect)).toBe('word:a | comment:--\\\n b | word:c');
    expect(kinds('a --\u000b b\u000c c\u0085 d\u2028 e', postgresqlDialect)).toBe(
      'word:a | comment:--\u000b b\u000c c\u0085 d\u2028 e',
    );
  });

  it('continues an escape string across a gap of any length, like PostgreSQL', () => {
    const gaps = [
      '\n',
      '\r',
      `\n${' '.repeat(70_000)}`,
      `${'\t'.repeat(5_000)}\n`,
      `-- ${'x'.repeat(70_000)}\n`,
      ` \f\v--\r\n -- it's\r--\n\t`,
    ];
    for (const gap of gaps)
      expect(kinds(`E'a'${gap}'\\' or evil() --' x`, postgresqlDialect)).toBe(
        `string:E'a'${gap}'\\' or evil() --' | word:x`,
      );
    const ends = [' ', '/* */\n', '\n/* */', '\n\u00a0', '\n--', ';\n'];
    for (const gap of ends)
      expect(kinds(`E'a'${gap}'b' x`, postgresqlDialect), JSON.stringify(gap)).not.toContain(
        `string:E'a'${gap}'b'`,
      );
  });

  it('covers any text once, from left to right, and reports an unclosed token', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        '`',
        '[',
        ']',
        '$$',
        '$a$',
        '/*',
        '*/',
        '--',
        '#',
        '\n',
        '\\',
        '{{x}}',
        "E'",
        "r'",
        ':',
        ';',
        ' ',
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.constantFrom(
          postgresqlDialect,
          mysqlDialect,
          sqliteDialect,
          duckdbDialect,
          sqlserverDialect,
          bigqueryDialect,
          snowflakeDialect,
          databricksDialect,
        ),
        (pieces, dialect) => {
          const sql = pieces.join('');
          let at = 0;
          for (const token of readSqlTokens(sql, dialect)) {
            expect(sql.slice(at, token.start).trim()).toBe('');
            expect(token.end).toBeGreaterThan(token.start);
            at = token.end;
          }
          expect(sql.slice(at).trim()).toBe('');
        },
      ),
      { numRuns: 2_000 },
    );
    expect(readSqlTokens("select 'x", postgresqlDialect).at(-1)?.isUnterminated).toBe(true);
  });
});
