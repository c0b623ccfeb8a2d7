import { createCipheriv, createDecipheriv } from 'node:crypto';
import { plural } from '@svc/contract';
import type { KeyRing } from './key-ring.ts';
import type { Randomness } from './random.ts';
import { Secret } from './secret.ts';

/**
 * Storage location of an encrypted value. The location is authenticated with the value: a ciphertext that was
 * copied to another row, column or table does not open (SECURITY R5).
 */
export type EnvelopeLocation = {
  readonly table: string;
  readonly column: string;
  readonly rowId: string | number;
};

/**
 * Reason why an envelope does not open.
 *
 * - `NotAnEnvelope`: the text has another form, such as a value from before encryption.
 * - `UnknownKey`: the key of the envelope is not in the ring.
 * - `Tampered`: the text or its storage location changed after sealing.
 */
export type OpenFailure = 'NotAnEnvelope' | 'UnknownKey' | 'Tampered';

/** Result of opening an envelope. */
export type OpenResult =
  | {
      readonly ok: true;
      readonly secret: Secret;
      readonly keyId: string;
      /** False if the value should be sealed again under the current key. */
      readonly isCurrentKey: boolean;
    }
  | { readonly ok: false; readonly failure: OpenFailure; readonly keyId?: string };

const version = 'v1';
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const shape = /^v1\.([0-9a-f]{12})\.([\w-]{16})\.([\w-]*)\.([\w-]{22})$/;

function associatedData({ table, column, rowId }: EnvelopeLocation): Buffer {
  // A separator inside a name would let two locations share one text.
  if (table.includes('|') || column.includes('|'))
    throw new TypeError('Names of tables and columns must not contain "|".');
  return Buffer.from(`${table}|${column}|${rowId}`, 'utf8');
}

/** Decodes URL-safe base64. Refuses the alternative spellings that the decoder would accept. */
function decodeStrictly(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/**
 * Encrypts a text or bytes under the ring's current key: AES-256-GCM, a fresh 96-bit nonce, the location as
 * associated data.
 *
 * @returns `v1.<keyId>.<nonce>.<ciphertext>.<tag>`, the last three in URL-safe base64. It reveals the length of the
 * text.
 */
export function seal(
  ring: KeyRing,
  text: string | Secret | Uint8Array,
  location: EnvelopeLocation,
  random: Randomness,
): string {
  const nonce = random(nonceBytes);
  if (nonce.length !== nonceBytes) throw new RangeError(`The nonce must have ${plural(nonceBytes, 'byte')}.`);
  const encryptor = createCipheriv(cipher, ring.current.derive('encryption'), nonce, {
    authTagLength: tagBytes,
  });
  encryptor.setAAD(associatedData(location));
  const plain = text instanceof Secret ? text.reveal() : text;
  const encrypted = typeof plain === 'string' ? encryptor.update(plain, 'utf8') : encryptor.update(plain);
  const ciphertext = Buffer.concat([encrypted, encryptor.final()]);
  const parts = [nonce, ciphertext, encryptor.getAuthTag()].map((part) => part.toString('base64url'));
  return [version, ring.current.id, ...parts].join('.');
}

/** Returns true if a text has the form of an envelope. This does not mean that it opens. */
export function isEnvelope(text: string): boolean {
  return shape.test(text);
}

/** Returns the id of the key of an envelope, or undefined for any other text. */
export function envelopeKeyId(text: string): string | undefined {
  return shape.exec(text)?.[1];
}

type Decrypted =
  | { readonly ok: true; readonly bytes: Buffer; readonly keyId: string }
  | Extract<OpenResult, { ok: false }>;

function decrypt(ring: KeyRing, envelope: string, location: EnvelopeLocation): Decrypted {
  const [, keyId = '', nonceText = '', ciphertextText = '', tagText = ''] = shape.exec(envelope) ?? [];
  if (keyId === '') return { ok: false, failure: 'NotAnEnvelope' };
  const key = ring.byId(keyId);
  if (!key) return { ok: false, failure: 'UnknownKey', keyId };
  const nonce = decodeStrictly(nonceText);
  const ciphertext = decodeStrictly(ciphertextText);
  const tag = decodeStrictly(tagText);
  if (!nonce || !ciphertext || !tag) return { ok: false, failure: 'Tampered', keyId };
  const decryptor = createDecipheriv(cipher, key.derive('encryption'), nonce, { authTagLength: tagBytes });
  decryptor.setAAD(associatedData(location));
  decryptor.setAuthTag(tag);
  const opened = decryptor.update(ciphertext);
  try {
    return { ok: true, bytes: Buffer.concat([opened, decryptor.final()]), keyId };
  } catch {
    // final() throws only for a tag that does not match.
    return { ok: false, failure: 'Tampered', keyId };
  }
}

/** Decrypts an envelope with the key of the ring that sealed it. Never throws for a stored value. */
export function open(ring: KeyRing, envelope: string, location: EnvelopeLocation): OpenResult {
  const result = decrypt(ring, envelope, location);
  if (!result.ok) return result;
  const { bytes, keyId } = result;
  const secret = new Secret(bytes.toString('utf8'));
  return { ok: true, secret, keyId, isCurrentKey: keyId === ring.current.id };
}

/** Decrypts an envelope of bytes. Returns undefined if it does not open. */
export function openBytes(ring: KeyRing, envelope: string, location: EnvelopeLocation): Buffer | undefined {
  const result = decrypt(ring, envelope, location);
  return result.ok ? result.bytes : undefined;
}

/**
 * Encrypts the content of an envelope, text or bytes, under the ring's current key. Never throws for a stored
 * value.
 */
export function reseal(
  ring: KeyRing,
  envelope: string,
  location: EnvelopeLocation,
  random: Randomness,
): { readonly ok: true; readonly envelope: string } | { readonly ok: false; readonly failure: OpenFailure } {
  const result = decrypt(ring, envelope, location);
  if (!result.ok) return { ok: false, failure: result.failure };
  return { ok: true, envelope: seal(ring, result.bytes, location, random) };
}
