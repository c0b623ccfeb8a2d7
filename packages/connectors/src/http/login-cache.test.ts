import { expect, test } from 'vitest';
import { snowflakeDialect } from '../sql/dialects.ts';
import { createLoginCache } from './login-cache.ts';

const connection = { host: 'org-shop.example.test', passphrase: 'one', role: 'reader', schema: 'public' };
const login = { writes: [] };

test('the rights of a login are cached for ten minutes, only for the same connection settings', () => {
  let now = 0;
  const logins = createLoginCache(snowflakeDialect, () => now);
  logins.storeLogin(connection, login);
  now = 599_999;
  expect(logins.loginOf({ ...connection })).toBe(login);
  expect(logins.loginOf({ ...connection, role: 'other' })).toBeUndefined();
  expect(logins.loginOf({ ...connection, passphrase: 'another' })).toBeUndefined();
  now = 600_000;
  expect(logins.loginOf(connection)).toBeUndefined();
});

test('a compiled statement is identified by its text and the types of its values, not by the values', () => {
  const logins = createLoginCache(snowflakeDialect);
  const sql = 'select * from t where id = cast(? as number(1, 0))';
  logins.storeCompiled(connection, { sql, values: [{ type: 'Number', value: '1' }] });
  expect(logins.isCompiled(connection, { sql, values: [{ type: 'Number', value: '2' }] })).toBe(true);
  expect(logins.isCompiled(connection, { sql, values: [{ type: 'String', value: '1' }] })).toBe(false);
  expect(logins.isCompiled(connection, { sql: `${sql} `, values: [] })).toBe(false);
  expect(logins.isCompiled({ ...connection, schema: 'other' }, { sql, values: [] })).toBe(false);
});

test('only the oldest of 5,001 compiled statements is removed from the cache', () => {
  const logins = createLoginCache(snowflakeDialect);
  const statement = (at: number) => ({ sql: `select ${at}` });
  for (let at = 0; at <= 5_000; at++) logins.storeCompiled(connection, statement(at));
  expect([0, 1, 5_000].map((at) => logins.isCompiled(connection, statement(at)))).toEqual([
    false,
    true,
    true,
  ]);
});
