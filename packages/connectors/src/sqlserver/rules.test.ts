import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../error.ts';
import { assertOneRead } from '../sql/read-only-gate.ts';
import { sqlserverReads, sqlserverRefused, sqlserverWrites } from '../testing/statements/sqlserver.ts';
import { sqlserverRules } from './rules.ts';

/** Returns the refusal of the gate; undefined for an accepted statement. */
function refusalOf(sql: string): ConnectorError | undefined {
  try {
    assertOneRead(sql, sqlserverRules);
    return undefined;
  } catch (error) {
    if (error instanceof ConnectorError) return error;
    throw error;
  }
}

describe('the read-only gate of SQL Server', () => {
  it('refuses at least 150 statements that would do more than one read, each with its position', () => {
    expect(new Set(sqlserverRefused).size).toBeGreaterThanOrEqual(150);
    expect(sqlserverRefused.filter((sql) => refusalOf(sql) === undefined)).toEqual([]);
    expect(sqlserverRefused.filter((sql) => refusalOf(sql)?.position === undefined)).toEqual([]);
  });

  it('accepts at least 100 reads', () => {
    expect(new Set(sqlserverReads).size).toBeGreaterThanOrEqual(100);
    const refused = sqlserverReads.flatMap((sql) => {
      const refusal = refusalOf(sql);
      return refusal ? [`${sql} → ${refusal.message}`] : [];
    });
    expect(refused).toEqual([]);
  });

  it('refuses each write after each read, on a separate line', () => {
    const both = sqlserverReads.flatMap((read) => sqlserverWrites.map((write) => `${read}\n${write}`));
    expect(both.length).toBeGreaterThanOrEqual(1_000);
    expect(both.filter((sql) => refusalOf(sql) === undefined)).toEqual([]);
  });

  it('accepts or refuses any text without another error', () => {
    const keywords = [
      'with',
      'as',
      'select',
      'fetch',
      'next',
      'rows',
      'merge',
      'use',
      'hint',
      'a',
      '1',
      '0x',
      '@@v',
    ];
    const signs = [
      "'",
      '"',
      '[',
      ']',
      ']]',
      '(',
      ')',
      '.',
      ',',
      '{',
      '/*',
      '*/',
      '--',
      '\n',
      '\r',
      '\\',
      '$',
      ';',
    ];
    const piece = fc.oneof(
      fc.constantFrom(...keywords, ...signs, ' '),
      fc.string({ maxLength: 5, unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        refusalOf(`select ${pieces.join('')}`);
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    ['select 1 delete from t', 'not-a-read', 9, 'DELETE starts another statement.'],
    ['select 1delete from t', 'syntax-refused', 7, 'A number must be followed by a space.'],
    ['select 1 select 2', 'more-than-one-statement', 9, 'Only one statement'],
    [';with c as (select 1 as a) select a from c', 'empty-statement', 0, 'before the statement. Remove it'],
    ['select 1; select 2', 'more-than-one-statement', 10, 'Only one statement'],
    ['select a into b from c', 'not-a-read', 9, 'it makes a table'],
    ['select * from a.b.c.d', 'not-a-read', 14, 'it reaches another server'],
    ['select * from a with (xlock)', 'not-a-read', 22, 'it locks rows'],
    ['select next value for s', 'not-a-read', 7, 'it changes a sequence'],
    ['select * from fn_dblog(null, null)', 'function-refused', 14, 'fn_dblog'],
    ['select [open', 'syntax-refused', 7, 'not closed'],
    ['', 'empty-statement', 0, 'no statement'],
  ])('refuses %j with reason and position', (sql, code, offset, text) => {
    const refusal = refusalOf(sql);
    expect(refusal).toMatchObject({ code, position: { offset } });
    expect(refusal?.message).toContain(text);
  });
});
