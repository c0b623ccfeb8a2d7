import { describe, expect, it } from 'vitest';
import { cleanWords, databricksError } from './errors.ts';

const personal = 'dapi0123456789abcdef0123456789abcdef-2';
const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJBIn0.c2lnbmF0dXJl';

describe('messages of Databricks', () => {
  it.each([
    [`a ${jwt} b`, 'a ••• b'],
    [`x${jwt}`, 'x•••'],
    [`eyJ.eyJ ${jwt}.more`, 'eyJ.eyJ •••.more'],
    [`eyJh.${jwt}`, '•••.c2lnbmF0dXJl'],
    [`eyJhbGci ${personal}`, 'eyJhbGci •••'],
    [`eyJhbGci-${personal}`, 'eyJhbGci-•••'],
    [`${personal}, doseab0123456789abcdef`, '•••, •••'],
    ['eyJhbGci.eyJzdWIi', 'eyJhbGci.eyJzdWIi'],
    ['No\n  such \t table. \n\n== SQL ==\nselect 1\n^^^', 'No such table.'],
    ['== SQLX', '== SQLX'],
  ])('%j are reported as %j', (text, cleaned) => {
    expect(cleanWords(text, [])).toBe(cleaned);
  });

  it('contain no part of a secret that includes a token-like text', () => {
    for (const secret of [`before-/${jwt}/behind`, `before-${personal}/behind`])
      expect(cleanWords(`No ${secret}.`, [secret])).toBe('No •••.');
  });

  it.each([
    ['spaces', ' '],
    ['lines', '\n'],
    ['starts of tokens', 'eyJ'],
    ['tokens of one part', 'eyJa.'],
    ['tokens of two parts', 'eyJa.b '],
    ['starts of personal tokens', 'dapi0123456789abcdef'],
    ['ends of personal tokens', `${personal}x`],
    ['starts of statements', ' == SQ'],
    ['statements', ' == SQL'],
    ['classes', '[A'],
    ['lines of a statement', 'line 1, '],
    ['states', 'SQLSTATE: '],
    ['quotes', "'"],
  ])('with endless %s are limited in length', (_name, unit) => {
    for (const before of ['', 'x ', '[', '[A', 'eyJ', 'dapi'])
      for (const after of ['', 'x', '.']) {
        const message = `${before}${unit.repeat(1_000_000 / unit.length)}${after}`;
        const error = databricksError({
          status: 400,
          body: { error_code: 'BAD_REQUEST', message },
          secrets: ['s3cret'],
          sent: { sql: 'select 1', linesBefore: 0 },
        });
        expect(error?.message.length ?? 0).toBeLessThanOrEqual(2_000);
      }
  });
});
