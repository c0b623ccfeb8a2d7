import { expect, test } from 'vitest';
import { hasControls, isUtf8 } from './text-bytes.ts';

test.each([
  ['letters and ends of lines', Buffer.from('Zoë\tand\r\nKöln\f\n'), true, false],
  ['no bytes', Buffer.alloc(0), true, false],
  ['a byte order mark', Buffer.from('\ufeffid'), true, false],
  ['NUL', Buffer.from('a\0b'), true, true],
  ['an escape character', Buffer.from('a\u001b[31m'), true, true],
  ['a vertical tab', Buffer.from('a\vb'), true, true],
  ['Latin-1', Buffer.from('Köln', 'latin1'), false, false],
  ['a character that is cut', Buffer.from('Zoë').subarray(0, -1), false, false],
  ['a surrogate', Buffer.from([0xed, 0xa0, 0x80]), false, false],
])(
  'recognises %s as UTF-8 or other bytes, and as text or other characters',
  (_what, bytes, isText, areControls) => {
    expect([isUtf8(bytes), hasControls(bytes)]).toEqual([isText, areControls]);
  },
);
