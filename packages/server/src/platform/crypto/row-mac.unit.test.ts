import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRowMac } from './row-mac.ts';

const key = createSecretKey(randomBytes(32));
type Value = string | number | boolean | null;

const part = (tag: number, text: string): Buffer => {
  const bytes = Buffer.from(text, 'utf8');
  const head = Buffer.alloc(5);
  head[0] = tag;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
};
/** Computes the same code with the library's HMAC. */
const expected = (domain: number, label: string, values: readonly Value[], used = key): Buffer => {
  const mac = createHmac('sha256', used)
    .update(part(2, String(domain)))
    .update(part(1, label));
  for (const value of values) {
    const tag = value === null ? 0 : { string: 1, number: 2, boolean: 3 }[typeof value as 'string'];
    mac.update(part(tag, value === null ? '' : String(value)));
  }
  return mac.digest();
};
const codeOf = (domain: number, label: string, values: readonly Value[]): Buffer => {
  const mac = createRowMac(key, domain);
  mac.begin(label);
  for (const value of values) mac.add(value);
  return mac.end(32);
};

test.each<[string, readonly Value[]]>([
  ['nothing', []],
  ['texts, numbers, truth values and NULL', ['a', 1.5, true, null, '']],
  ['text beyond the first buffer', ['\u20ac'.repeat(10_000), 'x'.repeat(70_000)]],
  ['text beyond the basic plane', ['\u{1f600}']],
])('a row code is the HMAC of %s', (_name, values) => {
  expect(codeOf(7, 'key', values)).toEqual(expected(7, 'key', values));
});

test('a row code is the HMAC under a key that is longer than a block', () => {
  const long = createSecretKey(randomBytes(200));
  const mac = createRowMac(long, 1);
  mac.begin('key');
  mac.add('a');
  expect(mac.end(32)).toEqual(expected(1, 'key', ['a'], long));
});

test('a row code distinguishes values that look alike', () => {
  const alike: (readonly Value[])[] = [
    [null],
    [''],
    ['null'],
    [1],
    ['1'],
    [true],
    ['true'],
    ['a', 'b'],
    ['ab'],
    ['ab', ''],
  ];
  const codes = alike.map((values) => codeOf(1, 'key', values).toString('hex'));
  expect(new Set(codes).size).toBe(alike.length);
  expect(codeOf(1, 'key', ['a'])).not.toEqual(codeOf(2, 'key', ['a']));
  expect(codeOf(1, 'key', ['a'])).not.toEqual(codeOf(1, 'content', ['a']));
});

test('a later row code does not change an earlier one', () => {
  const mac = createRowMac(key, 3);
  mac.begin('key');
  mac.add('first');
  const first = mac.end(16);
  const copy = Buffer.from(first);
  mac.begin('key');
  mac.add('second');
  mac.end(16);
  expect(first).toEqual(copy);
  expect(first).toHaveLength(16);
});
