import { format, inspect } from 'node:util';
import pino from 'pino';
import { expect, test } from 'vitest';
import { Secret } from './secret.ts';

const text = 'correct horse battery staple';
const secret = new Secret(text);

test('every implicit conversion of a secret hides its text', () => {
  const ways = [
    String(secret),
    `${secret}`,
    `before ${secret} after`,
    JSON.stringify({ nested: [secret] }),
    inspect({ nested: { secret } }, { depth: 9, showHidden: true }),
    format('%s %o %j %O', secret, secret, secret, secret),
    Object.entries(secret).join(),
    new Error(`failed with ${secret}`).stack ?? '',
  ];
  for (const way of ways) expect(way).not.toContain('horse');
  expect(JSON.stringify(secret)).toBe('"***"');
  expect(inspect(secret)).toBe('***');
});

test('the logger writes *** for a secret', () => {
  const lines: string[] = [];
  pino({}, { write: (line: string) => void lines.push(line) }).info({ password: secret }, 'x');
  expect(lines.join()).toContain('"password":"***"');
});

test('a copy of a secret does not contain its text', () => {
  expect(JSON.stringify({ ...secret })).toBe('{}');
  expect(() => structuredClone({ inner: new Secret(text) })).not.toThrow();
  expect(inspect(structuredClone({ inner: new Secret(text) }))).not.toContain('horse');
});

test('reveal returns the text of a secret', () => {
  expect(secret.reveal()).toBe(text);
});
