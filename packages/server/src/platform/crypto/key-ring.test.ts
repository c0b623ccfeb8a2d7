import { expect, test } from 'vitest';
import { createKeyRing } from './key-ring.ts';
import { Secret } from './secret.ts';

const key = 'a key of more than thirty-two bytes';

test('a key under 32 bytes is refused with the name of its setting and without its text', () => {
  expect(() => createKeyRing({ encryptionKey: 'x'.repeat(31) })).toThrow(/^Svc:EncryptionKey is too short/);
  expect(() =>
    createKeyRing({ encryptionKey: key, previousEncryptionKeys: [key, 'too short: s3cret'] }),
  ).toThrow(/^Svc:PreviousEncryptionKeys:1 is too short: a key needs at least 32 bytes, this one has 17\.$/);
});

test('any text of 32 bytes in UTF-8 is long enough for a key', () => {
  expect(() => createKeyRing({ encryptionKey: 'é'.repeat(16) })).not.toThrow();
  expect(() => createKeyRing({ encryptionKey: new Secret('x'.repeat(32)) })).not.toThrow();
});

test('each purpose has its own key, which is the same after a restart', () => {
  const one = createKeyRing({ encryptionKey: key }).current;
  const two = createKeyRing({ encryptionKey: key }).current;
  expect(one.id).toBe(two.id);
  expect(one.derive('encryption').export()).toEqual(two.derive('encryption').export());
  expect(one.derive('encryption').export()).not.toEqual(one.derive('approval-hash').export());
});

test('the derivation of keys is fixed, so that stored data remains readable', () => {
  const { current } = createKeyRing({ encryptionKey: key });
  expect(current.id).toBe('202272a7eb69');
  expect(current.derive('encryption').export().toString('hex')).toBe(
    '98614d06f609cc527628bbdf0bb863b95b5cb58d351a923b5e62c4550ae8f236',
  );
});

test('the current key counts once if it is also listed as a previous key', () => {
  const ring = createKeyRing({ encryptionKey: key, previousEncryptionKeys: [key, `${key}2`] });
  expect(ring.previous).toHaveLength(1);
  expect(ring.byId(ring.current.id)).toBe(ring.current);
  expect(ring.byId('000000000000')).toBeUndefined();
});
