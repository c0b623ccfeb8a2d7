/**
 * Encryption at rest and keyed codes: key ring, envelopes, HMACs, random tokens (SECURITY R5, R14). Synchronous,
 * based only on `node:crypto`, with injected randomness.
 */
export { equalsConstantTime, sha256Hex } from './compare.ts';
export {
  type EnvelopeLocation,
  envelopeKeyId,
  isEnvelope,
  type OpenFailure,
  type OpenResult,
  open,
  openBytes,
  reseal,
  seal,
} from './envelope.ts';
export {
  createKeyRing,
  type KeyPurpose,
  type KeyRing,
  type KeyRingSettings,
  keyBytesMin,
  type RingKey,
} from './key-ring.ts';
export {
  fingerprint,
  fingerprintCharacters,
  hmac,
  type MacParts,
  type MacVerdict,
  makeKeyCheck,
  verifyHmac,
  verifyKeyCheck,
} from './mac.ts';
export { type Randomness, randomToken, systemRandomness } from './random.ts';
export { createRowMac, type RowMac } from './row-mac.ts';
export { Secret } from './secret.ts';
