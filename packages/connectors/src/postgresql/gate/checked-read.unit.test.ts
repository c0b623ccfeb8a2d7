import { describe, expect, it } from 'vitest';
import { errorOf } from '../../testing/results.ts';
import { assertRead } from './assert-read.ts';
import { checkRead } from './checked-read.ts';

const refusal = (sql: string) => errorOf(checkRead(sql));

describe('the gate of PostgreSQL', () => {
  it('detects a function after every line end that the engine recognizes', async () => {
    for (const end of ['\n', '\r\n'])
      expect(
        await refusal(`select 1 as x --${end}, pg_terminate_backend(pid)::text from pg_stat_activity`),
      ).toMatchObject({
        code: 'function-refused',
        position: { offset: 18 + end.length },
      });
  });

  it('refuses a line end in a comment that engines interpret differently', async () => {
    for (const end of ['\r', '\n\r', '\v', '\f', '\u0085', '\u2028', '\u2029'])
      expect((await refusal(`select 1 as x --${end}, pg_terminate_backend(1)\n`)).code).toBe(
        'syntax-refused',
      );
    await expect(checkRead('select 1 as x -- a\u00a0b\n')).resolves.toBeDefined();
  });

  it('detects a function after a gap of any length in an escape string', async () => {
    for (const length of [10, 4_096, 70_000]) {
      const hidden = `select E'a'\n${' '.repeat(length)}'\\' || pg_notify(a, b) --'`;
      await expect(checkRead(hidden)).resolves.toBeDefined();
      const called = `select E'a'\n${' '.repeat(length)}'\\'' || pg_notify(a, b) --'`;
      expect((await refusal(called)).code).toBe('function-refused');
    }
  });

  it('decodes names with Unicode escapes like the engine', async () => {
    expect(await refusal(`select U&"pg\\005fnotify"('x', 'y')`)).toMatchObject({
      code: 'function-refused',
      message: 'The function pg_notify is not available here.',
    });
  });

  it('returns the correct position of a refused part in a text with wide characters', async () => {
    const sql = "select 'é🙂', pg_notify('a', 'b')";
    expect(await refusal(sql)).toMatchObject({ position: { offset: sql.indexOf('pg_notify') } });
    const broken = "select 'é🙂' || from x";
    expect(await refusal(broken)).toMatchObject({
      code: 'statement-failed',
      engineCode: '42601',
      position: { offset: broken.indexOf('from') },
    });
  });

  it.each([
    ['insert into t values (1)', 'not-a-read', 'A statement that starts with INSERT is not a read.'],
    ['selec 1', 'not-a-read', 'A statement that starts with SELEC is not a read.'],
    ['; select 1', 'empty-statement', 'A semicolon stands before the statement.'],
    ['-- nothing', 'empty-statement', 'There is no statement.'],
    ['', 'empty-statement', 'There is no statement.'],
    ['select 1; select 2', 'more-than-one-statement', 'Only one statement'],
    ['select 1 \0', 'syntax-refused', 'NUL'],
    ["select '\ud800'", 'syntax-refused', 'half of a character'],
    ['select 1 into t', 'not-a-read', 'SELECT … INTO'],
    ['explain select 1 into t', 'not-a-read', 'SELECT … INTO'],
    ['with x as (select 1 for update) select * from x', 'not-a-read', 'lock rows'],
    ['select (select 1 from t for key share)', 'not-a-read', 'lock rows'],
    ['with x as (delete from t returning *) select * from x', 'not-a-read', 'may stand in WITH'],
    ['explain analyze create table t as select 1', 'not-a-read', 'may be explained'],
    ['explain execute x', 'not-a-read', 'may be explained'],
    ['values (default)', 'not-a-read', 'SetToDefault'],
    ['select merge_action()', 'not-a-read', 'MergeSupportFunc'],
    ["select nextval('s')", 'function-refused', 'nextval'],
    ["select * from rows from (pg_ls_dir('/')) x", 'function-refused', 'pg_ls_dir'],
    ["select 1 order by set_config('a', 'b', false)", 'function-refused', 'set_config'],
    ["select json_object('a': lo_create(1))", 'function-refused', 'lo_create'],
    [
      "select * from json_table(pg_read_file('x')::jsonb, '$' columns (a int path '$'))",
      'function-refused',
      'pg_read_file',
    ],
    [
      "select * from xmltable('/a' passing xmlparse(document pg_read_file('x')) columns b text)",
      'function-refused',
      'pg_read_file',
    ],
  ])('refuses %j', async (sql, code, message) => {
    expect(await refusal(sql)).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('refuses unknown node kinds and unknown fields', () => {
    const statement = (fields: Record<string, unknown>) => [
      { node: { kind: 'SelectStmt', fields }, byteOffset: 0 },
    ];
    const planted = [
      statement({ targetList: [{ ResTarget: { val: { NewFunctionNode: { location: 7 } } } }] }),
      statement({ newClause: { ctes: [] } }),
      statement({ targetList: [{ ResTarget: { val: { A_Expr: { hidden: { name: 'x' } } } } }] }),
    ];
    for (const statements of planted)
      expect(() => assertRead('select 1', statements)).toThrow('not known to read');
  });

  it('refuses statements that exhaust the parser, and works afterwards', async () => {
    const texts = [
      `select ${'1+'.repeat(29_000)}1`,
      `select ${'not '.repeat(50_000)}true`,
      `select 1${' union select 1'.repeat(19_000)}`,
      `select ${'('.repeat(1_001)}1${')'.repeat(1_001)}`,
      `select ${'(select '.repeat(3_000)}1${')'.repeat(3_000)}`,
      `select 1 /*${' '.repeat(300_000)}*/`,
      `select ${'a(1), '.repeat(15_000)}1`,
    ];
    for (const sql of texts) {
      expect(await refusal(sql), sql.slice(0, 30)).toMatchObject({ code: 'syntax-refused' });
      await expect(checkRead('select now() as after')).resolves.toMatchObject({
        sql: 'select now() as after',
      });
      expect((await refusal(`select lo_unlink(${sql.length})`)).code).toBe('function-refused');
    }
  });

  it('accepts a chain of a thousand operators and a list of ten thousand values', async () => {
    await expect(checkRead(`select ${"'a' || ".repeat(1_000)}'b'`)).resolves.toBeDefined();
    await expect(checkRead(`select 1 where 1 in (${'1, '.repeat(10_000)}2)`)).resolves.toBeDefined();
  });

  it('returns the same cached result for the same text, also for refusals', async () => {
    const sql = 'select pg_reload_conf()';
    const first = await refusal(sql);
    expect(await refusal(sql)).toBe(first);
    const read = await checkRead('select 1');
    expect(await checkRead('select 1')).toBe(read);
  });
});
