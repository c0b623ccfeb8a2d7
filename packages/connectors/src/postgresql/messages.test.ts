import { expect, it } from 'vitest';
import { bindMessage, describeMessage, executeMessage, parseMessage, syncMessage } from './messages.ts';

const textOf = (bytes: Buffer): string => bytes.toString('latin1');

it('a message tells its own length, and texts end with a NUL', () => {
  expect(textOf(parseMessage('select 1'))).toBe('P\0\0\0\x10\0select 1\0\0\0');
  expect(textOf(describeMessage('P', 'p'))).toBe('D\0\0\0\x07Pp\0');
  expect(textOf(executeMessage('p', 101))).toBe('E\0\0\0\x0ap\0\0\0\0\x65');
  expect(textOf(syncMessage)).toBe('S\0\0\0\x04');
  for (const bytes of [parseMessage('select \u00fc'), bindMessage('p', ['\u00fc', null, ''])])
    expect(bytes.readUInt32BE(1)).toBe(bytes.length - 1);
});

it('values go with their length in bytes, a NULL without any', () => {
  expect(textOf(bindMessage('p', ['\u00e9', null, '']))).toBe(
    'B\0\0\0\x1bp\0\0\0\0\0\x03\0\0\0\x02\xc3\xa9\xff\xff\xff\xff\0\0\0\0\0\0',
  );
  // A value may hold anything: nothing in it ends a message.
  expect(bindMessage('', ["\0'; S"]).includes("\0'; S")).toBe(true);
});

it('a text that holds a NUL is no message', () => {
  for (const make of [
    () => parseMessage('select 1\0\0\0Q'),
    () => bindMessage('p\0', []),
    () => describeMessage('S', 'a\0'),
    () => executeMessage('a\0', 1),
  ])
    expect(make).toThrow(RangeError);
});

it('more values than the protocol can count are refused, not cut', () => {
  expect(() => bindMessage('', new Array<null>(65_536).fill(null))).toThrow(RangeError);
});
