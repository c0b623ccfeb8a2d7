import { expect, test } from 'vitest';
import { snowflakeDialect } from '../sql/dialects.ts';
import { createKnown } from './known.ts';

const connection = { host: 'org-shop.example.test', passphrase: 'one', role: 'reader', schema: 'public' };
const login = { writes: [] };

test('the rights of a login are cached for ten minutes, only for the same connection settings', () => {
  let now = 0;
  const known = createKnown(snowflakeDialect, () => now);
  known.keepLogin(connection, login);
  now = 599_999;
  expect(known.loginOf({ ...connection })).toBe(login);
  expect(known.loginOf({ ...connection, role: 'other' })).toBeUndefined();
  expect(known.loginOf({ ...connection, passphrase: 'another' })).toBeUndefined();
  now = 600_000;
  expect(known.loginOf(connection)).toBeUndefined();
});

test('a compiled statement is identified by its text and the types of its values, not by the values', () => {
  const known = createKnown(snowflakeDialect);
  const sql = 'select * from t where id = cast(? as number(1, 0))';
  known.keepCompiled(connection, { sql, values: [{ type: 'Number', value: '1' }] });
  expect(known.isCompiled(connection, { sql, values: [{ type: 'Number', value: '2' }] })).toBe(true);
  expect(known.isCompiled(connection, { sql, values: [{ type: 'String', value: '1' }] })).toBe(false);
  expect(known.isCompiled(connection, { sql: `${sql} `, values: [] })).toBe(false);
  expect(known.isCompiled({ ...connection, schema: 'other' }, { sql, values: [] })).toBe(false);
});

test('only the oldest of 5,001 compiled statements is removed from the cache', () => {
  const known = createKnown(snowflakeDialect);
  const statement = (at: number) => ({ sql: `select ${at}` });
  for (let at = 0; at <= 5_000; at++) known.keepCompiled(connection, statement(at));
  expect([0, 1, 5_000].map((at) => known.isCompiled(connection, statement(at)))).toEqual([false, true, true]);
});
