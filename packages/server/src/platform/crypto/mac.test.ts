import { expect, test } from 'vitest';
import { equalsConstantTime, sha256Hex } from './compare.ts';
import { createKeyRing } from './key-ring.ts';
import { fingerprint, hmac, makeKeyCheck, verifyHmac, verifyKeyCheck } from './mac.ts';
import { randomToken, systemRandomness } from './random.ts';

const keyA = 'key A, which has thirty-two bytes or more';
const keyB = 'key B, which has thirty-two bytes or more';
const ringA = createKeyRing({ encryptionKey: keyA });
const ringB = createKeyRing({ encryptionKey: keyB });
const ringBA = createKeyRing({ encryptionKey: keyB, previousEncryptionKeys: [keyA] });

test('a code matches under the key that created it, current or previous', () => {
  const code = hmac(ringA, 'approval-hash', ['type', 'destination']);
  expect(verifyHmac(ringA, 'approval-hash', ['type', 'destination'], code)).toBe('Current');
  expect(verifyHmac(ringBA, 'approval-hash', ['type', 'destination'], code)).toBe('Previous');
  expect(verifyHmac(ringB, 'approval-hash', ['type', 'destination'], code)).toBe('UnknownKey');
});

test('a code does not match other parts, another split or another purpose, and a malformed code matches nothing', () => {
  const code = hmac(ringA, 'approval-hash', ['ab', 'c']);
  expect(verifyHmac(ringA, 'approval-hash', ['a', 'bc'], code)).toBe('Mismatch');
  expect(verifyHmac(ringA, 'approval-hash', ['ab', 'c', ''], code)).toBe('Mismatch');
  expect(verifyHmac(ringA, 'fingerprint', ['ab', 'c'], code)).toBe('Mismatch');
  for (const text of ['', 'v1', code.slice(0, -1), `${code}0`, code.toUpperCase()])
    expect(verifyHmac(ringA, 'approval-hash', ['ab', 'c'], text)).toBe('Mismatch');
});

test('a fingerprint has 12 hexadecimal characters and depends on key and value', () => {
  expect(fingerprint(ringA, ['v'])).toMatch(/^[0-9a-f]{12}$/);
  expect(fingerprint(ringA, ['v'])).not.toBe(fingerprint(ringB, ['v']));
  expect(fingerprint(ringA, ['v'])).not.toBe(fingerprint(ringA, ['w']));
});

test('the key-check value distinguishes the right key from a previous and a wrong one', () => {
  const stored = makeKeyCheck(ringA);
  expect(verifyKeyCheck(ringA, stored)).toBe('Current');
  expect(verifyKeyCheck(ringBA, stored)).toBe('Previous');
  expect(verifyKeyCheck(ringB, stored)).toBe('UnknownKey');
});

test('constant-time comparison agrees with equality for any lengths', () => {
  expect(equalsConstantTime('abc', 'abc')).toBe(true);
  expect(equalsConstantTime('abc', Buffer.from('abc'))).toBe(true);
  for (const other of ['', 'ab', 'abd', 'abcd']) expect(equalsConstantTime('abc', other)).toBe(false);
});

test('tokens are URL-safe, have the requested length, and are never short', () => {
  expect(randomToken(systemRandomness)).toMatch(/^[\w-]{43}$/);
  expect(randomToken((count) => Buffer.alloc(count, 255), 18)).toBe('_'.repeat(24));
  expect(() => randomToken(systemRandomness, 8)).toThrow(RangeError);
  expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});
