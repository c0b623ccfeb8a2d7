import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { fieldOf } from './load-rows.ts';
import { answerRequest } from './local-rows.ts';
import { literal } from './names.ts';

test('the server receives the rows only under the name of the statement', async () => {
  const rows = Buffer.from('1\tone\n'.repeat(20_000));
  const answer = answerRequest({ name: 'svc-rows-1', rows });
  expect(await text(answer('svc-rows-1'))).toBe(String(rows));
  for (const requestedName of ['/etc/passwd', 'svc-rows-2', '', './svc-rows-1', 'SVC-ROWS-1']) {
    await expect(text(answer(requestedName))).rejects.toThrow('asked for another file');
  }
});

test.each([
  ['NULL', String.raw`\N`],
  ['-1.5e+300', '-1.5e+300'],
  ["x'00ff'", '00ff'],
  [literal('NULL'), 'NULL'],
  [literal("a\tb\nc\\d'e\0"), String.raw`a\tb\nc\\d\'e\0`],
  [literal(String.raw`\N`), String.raw`\\N`],
])('the literal %j becomes the field %j', (sql, field) => {
  expect(fieldOf(sql)).toBe(field);
});
