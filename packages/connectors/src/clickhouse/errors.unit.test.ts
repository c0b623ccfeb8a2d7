import { describe, expect, it } from 'vitest';
import { hiddenSecret } from '../http/hidden-secret.ts';
import { clickhouseError } from './errors.ts';

const secret = hiddenSecret('');
const errorIn = (text: string, sql?: string) => clickhouseError(text, { secret, sql });
const start = 'Code: 62. DB::Exception: ';
/** With this length, quadratic work does not finish within a test. */
const length = 1_000_000;

describe('an error text of ClickHouse', () => {
  it.each([
    ['Syntax error (SYNTAX_ERROR) (version 24.3.1.1 (official build))', 'Syntax error (SYNTAX_ERROR)'],
    [
      'Syntax error (SYNTAX_ERROR) (version 24.3.1.1 (official build))\n0. stack',
      'Syntax error (SYNTAX_ERROR)',
    ],
    ['No (version of it\nNo (version 24.3)', 'No (version of it No'],
    ['No such table, e.what() = DB::Exception (version 18.16)', 'No such table'],
    ['No such table  e.what() = DB::Exception', 'No such table'],
    ['No such table\r\n__exception__\r\nabc', 'No such table'],
    ['  No such table.  ', 'No such table.'],
  ])('%j is reported as %j', (text, message) => {
    expect(errorIn(`${start}${text}`)?.message).toBe(message);
  });

  it('provides the error number of the server', () => {
    expect(errorIn('Code: 516, e.displayText() = DB::Exception: No.')).toMatchObject({
      code: 'authentication-failed',
      engineCode: '516',
      message: 'No.',
    });
    expect(errorIn(`Code: ${'1'.repeat(30_000)}. DB::Exception: No.`)).toBeUndefined();
  });

  it.each([
    ['spaces', ' '.repeat(length)],
    ['spaces before a word', `${' '.repeat(length)}x`],
    ['lines', '\n'.repeat(length)],
    ['unclosed versions', '(version '.repeat(length / 10)],
    ['unclosed versions on many lines', '(version \n'.repeat(length / 10)],
    ['digits of the code', `Code: ${'1'.repeat(length)}`],
    ['starts of an error', start.repeat(length / 20)],
    ['unquoted identifiers', 'Unknown identifier '.repeat(length / 20)],
    ['tables', 'Table t '.repeat(length / 10)],
    ['characters of a table name', `Table ${'t'.repeat(length)} does not`],
    ['causes', ', e.what() '.repeat(length / 10)],
    ['exceptions', ' __exception_'.repeat(length / 10)],
  ])('with endless %s is parsed to a bounded message', (_name, serverText) => {
    for (const text of [
      `${start}${serverText}`,
      `${serverText}${start}`,
      serverText,
      `${start}x${serverText}x (version 1)`,
    ]) {
      const error = errorIn(text, 'select 1');
      expect(error?.message.length ?? 0).toBeLessThanOrEqual(2_000);
    }
  });

  it('provides a position only for an identifier that occurs in the statement', () => {
    const sql = `select ${'a'.repeat(200_000)}`;
    const text = `${start}Unknown identifier '${`b${'a'.repeat(50_000)}`}'`;
    expect(errorIn(text, sql)?.position).toBeUndefined();
    expect(errorIn(`${start}Unknown identifier 't.nope'`, 'select nope')?.position?.offset).toBe(7);
    const failed = `${start}Syntax error: failed at position 10 (x)`;
    expect(errorIn(failed, 'select é(')?.position?.offset).toBe(8);
  });
});
