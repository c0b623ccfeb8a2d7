import { describe, expect, test } from 'vitest';
import { requireRerunnable, runsOutsideTransaction, splitStatements } from './statements.ts';

describe('the split of a file at the semicolons that end statements', () => {
  test.each([
    ['select 1; select 2', ['select 1', 'select 2']],
    ["select ';'; select 'it''s;'", ["select ';'", "select 'it''s;'"]],
    ["select e'\\';'; select 2", ["select e'\\';'", 'select 2']],
    ['select ";"";"; select 2', ['select ";"";"', 'select 2']],
    ['do $$ begin; end; $$; select 2', ['do $$ begin; end; $$', 'select 2']],
    ['do $a$ $$;$$ ; $a$; select 2', ['do $a$ $$;$$ ; $a$', 'select 2']],
    ['select a$b$c; select b$b$', ['select a$b$c', 'select b$b$']],
    ['-- one; two\nselect 1; -- three;\n', ['-- one; two\nselect 1']],
    ['/* a; /* b; */ c; */ select 1; /* ; */', ['/* a; /* b; */ c; */ select 1']],
    [';; select 1 ;;', ['select 1']],
    ['-- nothing\n', []],
  ])('is correct for %j', (sql, statements) => {
    expect(splitStatements(sql)).toEqual(statements);
  });
});

test.each([
  ['-- svc: no-transaction\nselect 1', true],
  ['-- Why it is so.\n\n  -- svc: no-transaction\r\nselect 1', true],
  ['select 1;\n-- svc: no-transaction', false],
  ['-- svc: no-transactions', false],
  ["select '\n-- svc: no-transaction\n'", false],
])('the check for a no-transaction header of %j returns %s', (sql, expected) => {
  expect(runsOutsideTransaction(sql)).toBe(expected);
});

describe('a migration that builds an index concurrently', () => {
  const check = (sql: string) => () => requireRerunnable('0001-a.sql', splitStatements(sql));
  test.each([
    'drop index concurrently if exists svc.a; create index concurrently a on t (b)',
    'DROP INDEX CONCURRENTLY IF EXISTS "s"."A";\n-- why\n/* and */ CREATE UNIQUE INDEX CONCURRENTLY "A" on t (b)',
    'create index a on t (b)',
  ])('is accepted as %j', (sql) => {
    expect(check(sql)).not.toThrow();
  });
  test.each([
    'create index concurrently a on t (b)',
    'create index concurrently if not exists a on t (b)',
    'drop index concurrently if exists svc.b; create unique index concurrently a on t (b)',
    '-- why\ncreate index concurrently a on t (b); drop index concurrently if exists a',
  ])('is refused as %j', (sql) => {
    expect(check(sql)).toThrow('The migration 0001-a.sql runs outside a transaction');
  });
});
