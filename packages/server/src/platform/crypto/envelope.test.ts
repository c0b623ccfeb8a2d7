import fc from 'fast-check';
import { expect, test } from 'vitest';
import { envelopeKeyId, isEnvelope, open, openBytes, seal } from './envelope.ts';
import { createKeyRing } from './key-ring.ts';
import { systemRandomness } from './random.ts';

const keyA = 'key A, which has thirty-two bytes or more';
const keyB = 'key B, which has thirty-two bytes or more';
const ringA = createKeyRing({ encryptionKey: keyA });
const ringB = createKeyRing({ encryptionKey: keyB });
const ringBA = createKeyRing({ encryptionKey: keyB, previousEncryptionKeys: [keyA] });
const place = { table: 'things', column: 'value', rowId: 7 };

test('any sealed text opens unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const result = open(ringA, seal(ringA, text, place, systemRandomness), place);
      expect(result.ok && result.secret.reveal()).toBe(text);
    }),
  );
});

test('any sealed bytes open unchanged, and only at their own place', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const envelope = seal(ringA, bytes, place, systemRandomness);
      expect(openBytes(ringA, envelope, place)).toEqual(Buffer.from(bytes));
      expect(openBytes(ringA, envelope, { ...place, rowId: 8 })).toBeUndefined();
    }),
  );
});

test('an envelope contains version, key, nonce, ciphertext and tag', () => {
  const envelope = seal(ringA, 'hello', place, () => Buffer.alloc(12, 1));
  expect(envelope).toMatch(/^v1\.[0-9a-f]{12}\.AQEBAQEBAQEBAQEB\.[\w-]{7}\.[\w-]{22}$/);
  expect(envelopeKeyId(envelope)).toBe(ringA.current.id);
  expect(isEnvelope(envelope)).toBe(true);
});

test('the same text is sealed differently each time', () => {
  expect(seal(ringA, 'x', place, systemRandomness)).not.toBe(seal(ringA, 'x', place, systemRandomness));
});

test('a previous key still opens an envelope, and is reported as not current', () => {
  const result = open(ringBA, seal(ringA, 'old', place, systemRandomness), place);
  expect(result).toMatchObject({ ok: true, isCurrentKey: false, keyId: ringA.current.id });
});

test('an unknown key is distinguished from tampering', () => {
  expect(open(ringB, seal(ringA, 'x', place, systemRandomness), place)).toEqual({
    ok: false,
    failure: 'UnknownKey',
    keyId: ringA.current.id,
  });
});

test('every flip of one bit of an envelope is detected', () => {
  const envelope = Buffer.from(seal(ringA, 'a secret destination', place, systemRandomness));
  for (let bit = 0; bit < envelope.length * 8; bit += 1) {
    const flipped = Buffer.from(envelope);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(open(ringA, flipped.toString('latin1'), place).ok).toBe(false);
  }
});

test('truncated, extended and reordered envelopes do not open', () => {
  const envelope = seal(ringA, 'text', place, systemRandomness);
  const [v = '', id = '', nonce = '', body = '', tag = ''] = envelope.split('.');
  const hostile = [
    '',
    'v1',
    `${envelope}.`,
    ` ${envelope}`,
    `${envelope}\n`,
    envelope.slice(0, -1),
    [v, id, nonce, body, ''].join('.'),
    [v, id, nonce, '', tag].join('.'),
    [v, id, nonce, `${body}AA`, tag].join('.'),
    [v, id, tag.slice(0, 16), body, tag].join('.'),
    [v, id.toUpperCase(), nonce, body, tag].join('.'),
    ['v2', id, nonce, body, tag].join('.'),
    `${envelope}${'A'.repeat(100_000)}`,
  ];
  for (const text of hostile) expect(open(ringA, text, place).ok).toBe(false);
});

test('a ciphertext moved to another row, column or table does not open', () => {
  const envelope = seal(ringA, 'text', place, systemRandomness);
  for (const other of [
    { ...place, rowId: 8 },
    { ...place, column: 'headers' },
    { ...place, table: 'others' },
    { table: 'things', column: 'value', rowId: '07' },
  ])
    expect(open(ringA, envelope, other)).toMatchObject({ ok: false, failure: 'Tampered' });
});

test('ambiguous names of a place are refused', () => {
  expect(() => seal(ringA, 'x', { table: 'a|b', column: 'c', rowId: 1 }, systemRandomness)).toThrow(
    TypeError,
  );
});

test('an unsealed text is reported as no envelope', () => {
  expect(open(ringA, 'https://example.com/hook', place)).toEqual({ ok: false, failure: 'NotAnEnvelope' });
});

test('a printed result does not contain the text', () => {
  expect(JSON.stringify(open(ringA, seal(ringA, 'planted', place, systemRandomness), place))).not.toContain(
    'planted',
  );
});
